import { z } from 'zod';
import { structuredLicenseSchema } from '../license/schema.js';

/** The answer to a decode: always six fields, and `structured` on request. */
export const decodeResultSchema = z
  .strictObject({
    licName: z.string().meta({
      description: "ring's name of the license: PIN code and registration number",
      example: '332588056123456-8100123456',
    }),
    pinCode: z.string().meta({
      description:
        'PIN code: 15 digits in threes or 16 digits in fours; one of another form as ring prints it',
      example: '332-588-056-123-456',
    }),
    licData: z.string().meta({
      description: 'What the license says, as `ring license info` prints it',
      example:
        'Информация о пользователе:\n    Имя: Иван\n    Фамилия: Иванов\nИнформация о продукте:\n    Регистрационный номер: 8100123456',
    }),
    validateData: z.string().meta({
      description:
        'Whether the license fits the machine of the service, as `ring license validate` prints it. ' +
        'A mismatch is normal: the license is bound to another machine or to a hardware key.',
      example:
        'Проверка лицензии завершилась с ошибкой.\nПо причине: Ключевые параметры компьютера не соответствуют лицензии:\n    Имя компьютера: SRV-OLD (в лицензии), app-7f9c (текущее)',
    }),
    licHWConfig: z.string().nullable().meta({
      description:
        'Hardware the license is bound to; null unless `detailed` is `true`, empty when ring printed none',
      example: null,
    }),
    currentHWConfig: z.string().nullable().meta({
      description:
        'Hardware of the machine of the service; null unless `detailed` is `true`, empty when ring printed none',
      example: null,
    }),
    structured: structuredLicenseSchema.optional().meta({
      description: 'The same as data; only with `structured=true`',
    }),
  })
  .meta({
    id: 'DecodeResult',
    description:
      'The decoded license. A text of ring that exceeds 65,536 characters or 1,000 lines, many times what it prints about one license, loses its first lines.',
  });

export type DecodeResult = z.output<typeof decodeResultSchema>;
