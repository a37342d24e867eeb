import { describe, expect, it } from 'vitest';
import { describeStartFailure } from '../../../../src/ring/output/start-failures.js';
import { transcript } from '../../../support/fake-ring.js';

const describeRun = (run: { exitCode?: number; stdout?: string; stderr?: string }) =>
  describeStartFailure({ exitCode: 1, stdout: '', stderr: '', ...run });

const JVM_MESSAGES = [
  ['Error: Could not create the Java Virtual Machine.', /RING_OPTS/],
  ['Error occurred during initialization of VM\nCould not reserve enough space', /initiali[sz]e/],
  ['Error: Could not find or load main class a.B', /installation is damaged/],
  ['Error: Unable to access jarfile ring.jar', /installation is damaged/],
  ['Exception in thread "main" java.lang.UnsupportedClassVersionError: a/B', /too old/],
  ['Exception in thread "main" java.lang.OutOfMemoryError: Java heap space', /out of memory/],
  ['Exception in thread "main" java.lang.NoClassDefFoundError: a/B', /class is missing/],
  [
    'java.lang.reflect.InaccessibleObjectException: module java.base does not "opens java.lang" to x',
    /too new/,
  ],
  ['java.lang.IllegalAccessError: because module java.base does not export sun.misc to x', /too new/],
  ['java.lang.UnsatisfiedLinkError: /tmp/x.so: failed to map segment', /noexec/],
  ['JAVA_HOME is not set', /no JRE/],
  ['ring: line 7: java: command not found', /no JRE/],
  ['ring: 7: java: not found', /no JRE/],
] as const;

describe('a run that failed before ring itself had its say', () => {
  it.each(JVM_MESSAGES)('is recognized by %j on stderr', (message, reason) =>
    expect(describeRun({ stderr: `${message}\n` })).toMatch(reason),
  );

  it('is recognized on stdout, too, where the JVM prints some of its errors', () => {
    expect(describeRun({ stdout: 'Error occurred during initialization of VM\n' })).toMatch(/initiali[sz]e/);
  });

  it.each([
    [126, /exit status 126/],
    [127, /exit status 127/],
    [129, /signal 1$/],
    [192, /signal 64$/],
  ])('is recognized by exit status %i', (exitCode, reason) =>
    expect(describeRun({ exitCode })).toMatch(reason),
  );
});

describe('a run in which ring had its say', () => {
  it.each([1, 2, 125, 128, 193, 254, 255])('is no failed start with exit status %i', (exitCode) =>
    expect(describeRun({ exitCode, stdout: 'Ошибка' })).toBeUndefined(),
  );

  it('is no failed start with exit status 0, whatever it printed', () =>
    expect(describeRun({ exitCode: 0, stderr: 'JAVA_HOME is deprecated' })).toBeUndefined());

  const verdict = transcript('validate-mismatch-ru.txt');
  it.each([
    ['a debug record of a missing class', `[DEBUG ] a.B - java.lang.ClassNotFoundException: c.D\n${verdict}`],
    [
      'a stack trace in a debug record',
      `[DEBUG ] a.B - x\njava.lang.UnsatisfiedLinkError: x\n\tat a.B.c\n${verdict}`,
    ],
    ['a license text that speaks of JAVA_HOME', `${verdict}    Компания: ООО "JAVA_HOME"\n`],
    ['a license text that speaks of memory', `${verdict}    Имя: java.lang.OutOfMemoryError\n`],
  ])('is no failed start because of %s', (_title, stdout) => expect(describeRun({ stdout })).toBeUndefined());

  it('is no failed start because of a warning on stderr', () => {
    const stderr = 'WARNING: Error: JAVA_HOME is deprecated\njava.lang.ClassNotFoundException: a.B\n';
    expect(describeRun({ stdout: verdict, stderr })).toBeUndefined();
  });

  it('is one when the JVM dies of an exception all the same', () => {
    const stderr =
      'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat a.B.c(B.java)\n';
    expect(describeRun({ stdout: verdict, stderr })).toMatch(/out of memory/);
  });
});
