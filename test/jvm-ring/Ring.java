import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Stands for ring in the tests: a real JVM that prints through System.out in the encoding it was started
 * with. It knows one licence; what it does beside that, the file it decodes tells it.
 */
public class Ring {
    static final String PIN = "332588056123456";
    static final String NAME = PIN + "-8100123456";
    static final boolean RUSSIAN = "ru".equals(System.getProperty("user.language"));

    public static void main(String[] args) throws Exception {
        List<String> arguments = Arrays.asList(args);
        if (arguments.contains("--version")) {
            System.out.println("0.19.5-12");
            return;
        }
        Path directory = Path.of(arguments.get(arguments.indexOf("--path") + 1));
        Path file;
        try (var files = Files.list(directory)) {
            file = files.findFirst().orElseThrow();
        }
        String content = Files.readString(file, StandardCharsets.UTF_8);
        String command = arguments.get(arguments.indexOf("license") + 1);
        if (content.contains("hang in " + command)) {
            Thread.sleep(600_000);
        }
        if (content.contains("unpack a library")) {
            Files.createTempFile("ring-library", ".so");
        }
        warn("/sys/block/vda/device/model");
        warn("/sys/block/vda/device/rev");
        if (!content.contains("license of Ivanov")) {
            System.exit(1);
        }
        switch (command) {
            case "list" -> System.out.println(NAME + (RUSSIAN ? " (имя файла: \"" : " (file name: \"") + file + "\")");
            case "info" -> info();
            default -> validate(arguments.contains("debug"));
        }
    }

    static void warn(String path) {
        System.out.println("[WARN  ] com._1c.license.activator.internal.hard.SystemFiles - Cannot read disk info. File \""
                + path + "\" not found.");
    }

    static void info() {
        System.out.println(RUSSIAN ? "Информация о пользователе:\n    Имя: Иван\n    Компания: ООО \"Ёлки—палки\" №1"
                : "Customer information:\n    First name: Иван\n    Company: Ёлки—палки LLC");
    }

    static void validate(boolean debug) throws IOException {
        if (debug) {
            record("crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : \nComputer name : СЕРВЕР-1\n"
                    + "RAM : 34359738368\nCustomer info : \nИмя : Иван\npin : " + PIN + "\nprevious pin : \nserial : 8100123456");
            warn("/sys/block/vda/device/model");
            record("hard.HardInfo - computer info : OS name : " + System.getProperty("os.name") + "\nComputer name : узел-7\n");
        }
        System.out.println(RUSSIAN ? "Проверка лицензии завершилась с ошибкой.\nПо причине: Ключевые параметры не соответствуют:\n    Имя компьютера: СЕРВЕР-1"
                : "License check failed.\nReason: Key computer parameters do not match the license:\n    Computer name: СЕРВЕР-1");
        System.exit(1);
    }

    static void record(String text) {
        System.out.println("[DEBUG ] com._1c.license.activator." + text);
    }
}
