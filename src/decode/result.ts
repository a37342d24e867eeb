import { z } from 'zod';

/** The answer to a decode: always exactly these six fields. */
export const decodeResultSchema = z.strictObject({
  licName: z.string().meta({
    description: "ring's name of the licence: PIN code and registration number",
    example: '332588056123456-8100123456',
  }),
  pinCode: z.string().meta({
    description: 'PIN code: 15 digits in threes or 16 digits in fours',
    example: '332-588-056-123-456',
  }),
  licData: z.string().meta({
    description: 'What the licence says, as `ring license info` prints it',
    example: 'Информация о пользователе:\n    Имя: Иван\n    Фамилия: Иванов',
  }),
  validateData: z.string().meta({
    description:
      'Whether the licence fits the machine the service runs on, as `ring license validate` prints it. ' +
      'A mismatch says nothing against the licence: it is bound to another machine.',
    example:
      'Проверка лицензии завершилась с ошибкой.\nПо причине: Ключевые параметры компьютера не соответствуют лицензии:',
  }),
  licHWConfig: z.string().nullable().meta({
    description:
      'Hardware the licence is bound to; null unless `detailed` is `true`, empty when ring did not tell',
    example: null,
  }),
  currentHWConfig: z.string().nullable().meta({
    description:
      'Hardware of the machine the service runs on; null unless `detailed` is `true`, empty when ring did not tell',
    example: null,
  }),
});

export type DecodeResult = z.output<typeof decodeResultSchema>;
