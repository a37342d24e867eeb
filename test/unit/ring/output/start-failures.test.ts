import { expect, it } from 'vitest';
import { outputOf } from '../../../../src/ring/commands.js';
import { startFailureOf } from '../../../../src/ring/output/start-failures.js';
import { transcript } from '../../../support/fake-ring.js';

type Run = Partial<Parameters<typeof outputOf>[0]>;
const failureOfRun = (run: Run) => startFailureOf(outputOf({ exitCode: 1, stdout: '', stderr: '', ...run }));

const JVM_MESSAGES = [
  ['Error: Could not create the Java Virtual Machine.', /RING_OPTS/],
  ['Error occurred during initialization of VM\nCould not reserve enough space', /initiali[sz]e/],
  ['Error: Could not find or load main class a.B', /installation is damaged/],
  ['Error: Unable to access jarfile ring.jar', /installation is damaged/],
  ['Exception in thread "main" java.lang.UnsupportedClassVersionError: a/B', /too old/],
  ['Exception in thread "main" java.lang.OutOfMemoryError: Java heap space', /out of memory/],
  ['Exception in thread "main" java.lang.NoClassDefFoundError: a/B', /class is missing/],
  ['java.lang.reflect.InaccessibleObjectException: module java.base does not "opens java.x" to y', /too new/],
  ['java.lang.IllegalAccessError: because module java.base does not export sun.misc to x', /too new/],
  ['java.lang.UnsatisfiedLinkError: /tmp/x.so: failed to map segment', /noexec/],
  ['JAVA_HOME is not set', /no JRE/],
  ['ring: line 7: java: command not found', /no JRE/],
  ['ring: 7: java: not found', /no JRE/],
] as const;

const verdict = transcript('validate-mismatch-ru.txt');
const HEAP = 'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat a.B.c(B.java)\n';

it.each<[string, Run, RegExp]>([
  ...JVM_MESSAGES.map(([text, reason]): [string, Run, RegExp] => [text, { stderr: `${text}\n` }, reason]),
  ['an error on stdout', { stdout: 'Error occurred during initialization of VM\n' }, /initiali[sz]e/],
  ['an exception after a verdict', { stdout: verdict, stderr: HEAP }, /out of memory/],
  ['exit status 126', { exitCode: 126 }, /exit status 126/],
  ['exit status 127', { exitCode: 127 }, /exit status 127/],
  ['exit status 129', { exitCode: 129 }, /SIGHUP$/],
  ['exit status 159', { exitCode: 159 }, /SIGSYS$/],
])('a start that failed is recognized by %s', (_title, run, reason) => {
  expect(failureOfRun(run)?.message).toMatch(reason);
});

it.each<[string, Run, string]>([
  ['SIGKILL', { exitCode: 137 }, 'crashed'],
  ['SIGSEGV', { exitCode: 139 }, 'crashed'],
  ['SIGABRT', { exitCode: 134 }, 'crashed'],
  ['its heap, in the middle of a run', { stdout: verdict, stderr: HEAP }, 'crashed'],
  [
    'too little memory to start',
    { stderr: `Error occurred during initialization of VM\n${HEAP}` },
    'not_started',
  ],
  ['SIGTERM', { exitCode: 143 }, 'killed'],
  ['SIGINT', { exitCode: 130 }, 'killed'],
])('a JVM that is ended by %s is told apart', (_title, run, reason) => {
  expect(failureOfRun(run)?.reason).toBe(reason);
});

const WARNING = 'WARNING: Error: JAVA_HOME is deprecated\njava.lang.ClassNotFoundException: a.B\n';
it.each<[string, Run]>([
  ...[1, 2, 125, 128, 160, 254, 255].map((exitCode): [string, Run] => [
    `exit status ${exitCode}`,
    { exitCode, stdout: 'Ошибка' },
  ]),
  ['exit status 0, whatever it printed', { exitCode: 0, stderr: 'JAVA_HOME is deprecated' }],
  ['a class in a record', { stdout: `[DEBUG ] a.B - java.lang.ClassNotFoundException: c.D\n${verdict}` }],
  ['a trace', { stdout: `[DEBUG ] a.B - x\njava.lang.UnsatisfiedLinkError: x\n\tat a.B.c\n${verdict}` }],
  ['a license text that speaks of JAVA_HOME', { stdout: `${verdict}    Компания: ООО "JAVA_HOME"\n` }],
  ['a license text of memory', { stdout: `${verdict}    Имя: java.lang.OutOfMemoryError\n` }],
  ['a warning on stderr', { stdout: verdict, stderr: WARNING }],
])('a run in which ring itself has printed something is no failed start, even with %s', (_title, run) => {
  expect(failureOfRun(run)).toBeUndefined();
});
