import { z } from 'zod';

const text = (description: string, example: string) => z.string().nullable().meta({ description, example });

const count = (description: string, example: number) =>
  z.int().nonnegative().nullable().meta({ description, example });

/** Local time without a zone, so not the `date-time` of JSON Schema, which demands one. */
const timestamp = (description: string, example: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
    .nullable()
    .meta({ description: `${description}; local time without a zone`, example });

// Each `id` names a component of the OpenAPI document, and so the type in a generated client.
const owner = z
  .strictObject({
    firstName: text('First name', 'Иван'),
    middleName: text('Middle name', 'Иванович'),
    lastName: text('Last name', 'Иванов'),
    email: text('E-mail address', 'ivan@example.org'),
    company: text('Company', 'ООО "Ромашка"'),
    country: text('Country', 'Российская Федерация'),
    postalCode: text('Postal code', '300022'),
    region: text('Region', 'Тульская обл'),
    district: text('District', 'Заокский р-н'),
    city: text('City or town', 'Тула г'),
    street: text('Street', 'Свободы ул'),
    house: text('House', '99'),
    building: text('Building', '2'),
    apartment: text('Apartment or office', '14'),
  })
  .meta({ id: 'Owner', description: 'Whom the license belongs to' });

const product = z
  .strictObject({
    description: text(
      'Description; Russian even where ring prints English',
      '1С:Предприятие 8. Клиентская лицензия на 20 рабочих мест',
    ),
    generatedAt: timestamp(
      'What ring calls the license generation date, in Russian the assembly date («Дата комплектации»)',
      '2017-10-18T00:00:00',
    ),
    registrationNumber: text(
      'Registration number of the distribution kit; may end in letters that the name of the license lacks. The best ' +
        'value; the next is `file.registrationNumber`, then that of the license',
      '800123456G0',
    ),
    productCode: text('Product code. The best value; the next is `file.productCode`', '0000000100020'),
    kind: z
      .enum(['client', 'server'])
      .nullable()
      .meta({
        description:
          'Whether the license is for clients or for a server, from the license type (first that of the clear text), else ' +
          'the description, else the product code; null when none of them tells. A description that names both tells nothing',
        example: 'client',
      }),
    users: count(
      'Number of users that the clear text states. Where it states none: for a client license whose product code, or ' +
        'else description, names 1 or 50 to 500 places, that number; else null. A kit of 5, 10 or 20 places may be ' +
        'activated as one license or as one for each place, and its code and its name are the same for both. The best ' +
        'value; the next is `file.users`',
      20,
    ),
  })
  .meta({
    id: 'Product',
    description:
      'What the license is for, from `ring license info`; `users` and `kind` first from the clear text. A section ' +
      '`TechnicalInfo` is read too, which was seen in one public source only',
  });

const otherLine = z
  .strictObject({
    section: text(
      'Section header above the line; `file` for the clear text; null before the first header',
      'file',
    ),
    name: text('Label of the line; null when it has none', 'Срок действия'),
    value: z.string().meta({
      description: 'The rest of the line, verbatim, and further lines of a value',
      example: 'до 2027 года',
    }),
  })
  .meta({ id: 'OtherLine', description: 'A line that no other key holds' });

const file = z
  .strictObject({
    registrationNumber: text('Registration number. Prefer that of `product`', '8100330000G0'),
    type: text('License type', 'клиент'),
    productCode: text('Product code. Prefer that of `product`', '0000000100010'),
    productName: text('Product name', '1С:Предприятие 8. Клиентская лицензия на 10 рабочих мест'),
    producedAt: timestamp(
      'Production date («Дата производства»), which may be that of the product and earlier than the activation',
      '2019-02-20T10:26:05',
    ),
    unlimited: z.boolean().nullable().meta({
      description: 'true when the license never expires, false when it has an expiry date, null when unknown',
      example: false,
    }),
    validUntil: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .meta({ format: 'date' })
      .nullable()
      .meta({
        description: 'Expiry date; null when the license never expires or the file does not say',
        example: '2026-12-31',
      }),
    validUntilTime: z
      .string()
      .regex(/^\d{2}:\d{2}:\d{2}$/)
      .nullable()
      .meta({
        description:
          'Time of the expiry date, where the file names one; local time without a zone. Whether a license ' +
          'without it is valid on that day, no file says; the page and the metrics count the whole day',
        example: '09:15:00',
      }),
    users: count(
      'Number of users that the file states; where it states none, as `users` of the product, but from the file alone. ' +
        'Prefer that of `product`',
      10,
    ),
    pinCount: count('Number of PIN codes in the group', 1),
    boundTo: text(
      'The machine or hardware key that the license is bound to',
      'BUH-PC, Intel64 Family 6 Model 158 Stepping 10, 8157Mb RAM, Майкрософт Windows 10 Корпоративная LTSC',
    ),
  })
  .meta({ id: 'ClearText', description: 'The clear text at the end of a license file' });

const values = (description: string, example: string[]) => z.array(z.string()).meta({ description, example });

const hardwareList = z.array(
  z
    .strictObject({
      name: z.string().meta({ description: 'Parameter, as ring names it', example: 'Network adapter' }),
      values: values('Its values, in order; empty when ring printed none', ['eth0, MAC 02:42:AC:11:00:02']),
    })
    .meta({ id: 'HardwareParameter', description: 'A line of a hardware list, with all its values' }),
);

const hardware = z
  .strictObject({
    license: hardwareList.meta({ description: 'Hardware that the license is bound to' }),
    current: hardwareList.meta({ description: 'Hardware of the machine that the service runs on' }),
    differences: z
      .array(
        z
          .strictObject({
            name: z.string().meta({ description: 'Parameter, as ring names it', example: 'Computer name' }),
            onlyInLicense: values('Values that only the license has', ['SRV-OLD']),
            onlyInCurrent: values('Values that only this machine has', ['app-7f9c']),
          })
          .meta({ id: 'HardwareDifference', description: 'A parameter whose values differ' }),
      )
      .meta({
        description:
          'Parameters whose values differ, if only in how many are equal. Not each of them matters: ring ignores ' +
          'some, such as added devices and more RAM. `valid` has its verdict.',
      }),
  })
  .meta({ id: 'Hardware', description: 'Hardware of the license and of this machine, and what differs' });

/** The content of a license as data. */
export const structuredLicenseSchema = z
  .strictObject({
    pin: z.string().meta({
      description: 'PIN code: 15 or 16 digits; one of another form as ring prints it',
      example: '332588056123456',
    }),
    previousPin: text(
      'PIN code of the license that this one replaced, digits only. null unless `detailed` is `true`, and both where ' +
        'the license replaced none and where ring did not say whether it did',
      '332588056654321',
    ),
    registrationNumber: z.string().meta({
      description:
        'Registration number, as in the name of the license. It may lack letters at its end: prefer that of `product`, ' +
        'then that of `file`',
      example: '8100123456',
    }),
    valid: z
      .boolean()
      .nullable()
      .meta({
        description:
          'Whether the license fits the machine of the service, or a hardware key in it; null if ring gave no verdict, ' +
          'or if its check failed for a reason of its own',
        example: false,
      }),
    binding: z.enum(['computer', 'hardwareKey']).nullable().meta({
      description:
        'What the license is bound to, as ring or else the clear text says; null when neither does',
      example: 'computer',
    }),
    computer: text(
      'Name of the computer that the license is bound to, from its hardware if `detailed` is `true`, else from the ' +
        'clear text; null when unknown, and for a license that is bound to a hardware key',
      'SRV-OLD',
    ),
    owner,
    product,
    other: z.array(otherLine).meta({
      description:
        'Lines of `ring license info`, then of the clear text of the file, that no other key holds: ' +
        'unknown, repeated, or not of the expected form.',
    }),
    file: file.nullable().meta({
      description:
        'The clear text at the end of the file; null when there is none. Only the first 64 KB of the file and ' +
        '200 lines of clear text are read.',
    }),
    hardware: hardware.nullable().meta({
      description: 'Hardware of the license and of this machine; null unless `detailed` is `true`.',
    }),
  })
  .meta({
    id: 'StructuredLicense',
    description:
      'What the license says, as data. Every key is always present; what the license does not say is null.',
  });

export type StructuredLicense = z.output<typeof structuredLicenseSchema>;
