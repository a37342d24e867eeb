/*
 * Made-up licenses of a company with many servers, always the same ones, for tests and measurements of the page. The
 * demo's stand-in for ring can read them: see demo-ring/.
 */

const COMPANIES = [
  'ООО "Ромашка"',
  'АО «Складской двор»',
  'ООО «Северный ветер»',
  "ИП Д'Артаньян А. О.",
  'ПАО "Завод № 7"',
];
const PEOPLE = [
  ['Мария', 'Сергеевна', 'Ветрова'],
  ['Тимур', 'Рашидович', 'Галеев'],
  ['Алёна', 'Игоревна', 'Щукина'],
  ['Олег', '', 'Константинопольский'],
];
const CLIENTS = [5, 10, 20, 50, 100];
const FOLDERS = ['srv-1c-01', 'srv-1c-02', 'филиал Казань', 'архив/2019'];
/** Columns of a Base64 line (RFC 2045, section 6.8). */
const LINE = /.{1,76}/g;

const two = (number) => String(number).padStart(2, '0');
const digits = (number, length) => String(number).padStart(length, '0');

/** The text of a license file: the permit as Base64, then its clear text. */
export const licenseText = ({ permit, clearText }) =>
  [...Buffer.from(JSON.stringify(permit)).toString('base64').match(LINE), ...clearText, ''].join('\n');

/**
 * @param {number} index
 * @param {number} year the current one: of every eight licenses one has expired, one expires in it, two never do
 */
export function license(index, year) {
  const isServer = index % 6 === 5;
  const users = CLIENTS[index % CLIENTS.length];
  const [firstName, middleName, lastName] = PEOPLE[index % PEOPLE.length];
  const number = 8_100_000_000 + index * 7919;
  const pin = digits(332_588_056_123_456 + index * 1_000_000_007, 15);
  const computer = isServer ? `srv-1c-${two(index % 20)}` : `BUH-PC-${digits(index % 90, 3)}`;
  const product = isServer
    ? '1С:Предприятие 8.3. Лицензия на сервер (x86-64)'
    : `1С:Предприятие 8 ПРОФ. Клиентская лицензия на ${users} рабочих мест`;
  const day = `${two((index % 28) + 1)}.${two((index % 12) + 1)}`;
  const terms = ['не ограничен', `${day}.${year - 1}`, `31.12.${year}`, 'не ограничен'];
  const term = terms[index % 8] ?? `${day}.${year + (index % 5) + 1}`;
  const made = `${two((index % 27) + 1)}.03.${2018 + (index % 7)} 10:${two(index % 60)}:05`;
  // The oldest files have none.
  const clearText =
    index % 25 === 24
      ? []
      : [
          `Регистрационный номер: ${number}${isServer ? 'G0' : ''}`,
          `Тип лицензии: ${isServer ? 'сервер 64' : 'клиент'}`,
          `Наименование продукта: ${product}`,
          `Дата производства: ${made}`,
          `Срок действия: ${term}`,
          ...(index % 17 === 16 || isServer ? [] : [`Количество пользователей: ${users}`]),
          `Количество пинкодов в группе: 1`,
          `Привязка: ${computer}, Intel64 Family 6 Model 158 Stepping 10, ${8 + (index % 5) * 8}192Mb RAM, Windows Server 2019`,
        ];
  return {
    folder: FOLDERS[Math.floor(index / 3) % FOLDERS.length],
    file: `2019${two((index % 12) + 1)}${two((index % 28) + 1)}10${two(index % 60)}${two(Math.floor(index / 60))}.lic`,
    permit: {
      pin,
      previousPin: index % 9 === 8 ? '111222333444555' : '',
      customer: {
        firstName,
        middleName,
        lastName,
        email: `admin${index}@example.org`,
        company: COMPANIES[index % COMPANIES.length],
        country: 'Российская Федерация',
        zipCode: digits(300_000 + index, 6),
        region: 'Тульская обл',
        town: 'Тула г',
        street: 'Свободы ул',
        house: String(index + 1),
      },
      product: {
        description: product,
        generated: `${made.slice(11)} ${made.slice(0, 10)}`,
        registrationNumber: `${number}${isServer ? 'G0' : ''}`,
        productCode: isServer ? '0000000000087' : digits(100_000 + users, 13),
      },
      computer: {
        'OS name': 'Windows Server 2019',
        'OS version': '10.0',
        'Computer name': computer,
        Motherboard: 'Supermicro X11SSH-F',
        RAM: '34359738368',
        Processor: 'Intel(R) Xeon(R) CPU E3-1230 v5 @ 3.40GHz',
        'Network adapter': `Intel(R) I210 Gigabit, MAC 00:00:5E:00:${two(index % 100)}:01`,
        'Hard disk': 'INTEL SSDSC2BB480G7, size 480103981056',
      },
    },
    clearText,
  };
}

/** So many licenses, each as the name, the folder and the text of its file. */
export const fleet = (count, year = new Date().getFullYear()) =>
  Array.from({ length: count }, (_, index) => {
    const made = license(index, year);
    return { name: made.file, folder: made.folder, text: licenseText(made), permit: made.permit };
  });
