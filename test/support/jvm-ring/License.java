import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The license module. It knows one license. The text of the file that it decodes tells it what else to do. */
public class License implements Consumer<List<String>> {
    static final String PIN = "332588056123456";
    static final String NAME = PIN + "-8100123456";
    static String firstName = "Иван";
    static final boolean RUSSIAN = "ru".equals(System.getProperty("user.language"));

    @Override
    public void accept(List<String> arguments) {
        try {
            run(arguments);
        } catch (IOException | InterruptedException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static void run(List<String> arguments) throws IOException, InterruptedException, ReflectiveOperationException {
        File file = new File(arguments.get(arguments.indexOf("--path") + 1)).listFiles()[0];
        String content = new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
        String command = arguments.get(arguments.indexOf("license") + 1);
        Matcher library = Pattern.compile("unpack (\\S+)").matcher(content);
        if (library.find()) {
            Files.createTempFile(library.group(1), ".so");
        }
        if (content.contains("hang in " + command)) {
            Thread.sleep(600_000);
        }
        Matcher owner = Pattern.compile("owner (.+)").matcher(content);
        if (owner.find()) {
            firstName = owner.group(1);
        }
        if (content.contains("reflect")) {
            // Java 8 allows it, 9 to 16 warn about it, 17 and later refuse it.
            Field field = String.class.getDeclaredField("hash");
            field.setAccessible(true);
        }
        warn("/sys/block/vda/device/model");
        warn("/sys/block/vda/device/rev");
        if (!content.contains("license of Ivanov")) {
            System.exit(1);
        }
        switch (command) {
            case "list":
                System.out.println(NAME + (RUSSIAN ? " (имя файла: \"" : " (file name: \"") + file + "\")");
                break;
            case "info":
                System.out.println(RUSSIAN ? "Информация о пользователе:\n    Имя: " + firstName + "\n    Компания: ООО \"Ёлки—палки\" №1"
                        : "Customer information:\n    First name: " + firstName + "\n    Company: Ёлки—палки LLC");
                break;
            default:
                validate(arguments.contains("debug"));
        }
    }

    static void validate(boolean debug) {
        if (debug) {
            record("crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : \nComputer name : СЕРВЕР-1\n"
                    + "RAM : 34359738368\nCustomer info : \nИмя : " + firstName + "\npin : " + PIN + "\nprevious pin : \nserial : 8100123456");
            warn("/sys/block/vda/device/model");
            record("hard.HardInfo - computer info : OS name : " + System.getProperty("os.name") + "\nComputer name : узел-7\n");
        }
        System.out.println(RUSSIAN ? "Проверка лицензии завершилась с ошибкой.\nПо причине: Ключевые параметры не соответствуют:\n    Имя компьютера: СЕРВЕР-1"
                : "License check failed.\nReason: Key computer parameters do not match the license:\n    Computer name: СЕРВЕР-1");
        System.exit(1);
    }

    static void warn(String path) {
        System.out.println("[WARN  ] com._1c.license.activator.internal.hard.SystemFiles - Cannot read disk info. File \""
                + path + "\" not found.");
    }

    static void record(String text) {
        System.out.println("[DEBUG ] com._1c.license.activator." + text);
    }
}
