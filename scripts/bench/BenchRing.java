import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import java.io.InputStream;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.yaml.snakeyaml.Yaml;

/**
 * Costs what a small real JVM tool costs at its start: reads a YAML registry of modules, sets a logging
 * library up, decrypts a file, looks at the machine, prints. It speaks ring's command line for the bench.
 * Java 8, as ring is, which runs on that.
 */
public final class BenchRing {
    private static final String PIN = "332588056123456";
    private static final String NAME = PIN + "-8100123456";
    private static final Pattern KEY_VALUE = Pattern.compile("^(?<key>[^:]+): (?<value>.*)$");

    public static void main(String[] args) throws Exception {
        List<String> arguments = new ArrayList<>(Arrays.asList(args));
        LoggerContext context = setUpLogging(arguments.contains("debug") ? "DEBUG" : "WARN");
        Logger log = LoggerFactory.getLogger("com._1c.license.activator.ring.LicenseStorage");
        Map<String, Object> registry = readRegistry();
        if (arguments.contains("--version")) {
            System.out.println(registry.get("version"));
            return;
        }
        Path directory = Paths.get(arguments.get(arguments.indexOf("--path") + 1));
        log.debug("scan {}", directory);
        List<String> permit;
        try (Stream<Path> files = Files.list(directory)) {
            permit = decrypt(files.filter(file -> file.toString().endsWith(".lic")).findFirst().get());
        }
        int status = 0;
        switch (arguments.get(arguments.indexOf("license") + 1)) {
            case "list":
                System.out.println(NAME + " (file name: \"license.lic\")");
                break;
            case "info":
                printInfo(permit);
                break;
            default:
                status = validate(log, permit);
        }
        context.stop();
        System.exit(status);
    }

    /** As tools do it: by an XML file in the jar, in which the level is a variable. */
    private static LoggerContext setUpLogging(String level) throws JoranException {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        context.putProperty("level", level);
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(BenchRing.class.getResource("/logging.xml"));
        return context;
    }

    private static Map<String, Object> readRegistry() throws Exception {
        try (InputStream stream = BenchRing.class.getResourceAsStream("/ring-commands.cfg")) {
            return new Yaml().load(stream);
        }
    }

    /** A key derivation and an authenticated decryption, as for a permit; the made-up text is what is decrypted. */
    private static List<String> decrypt(Path file) throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        byte[] salt = MessageDigest.getInstance("SHA-256").digest(bytes);
        SecretKeyFactory factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
        byte[] key = factory.generateSecret(new PBEKeySpec("bench".toCharArray(), salt, 1_000, 128)).getEncoded();
        GCMParameterSpec nonce = new GCMParameterSpec(128, Arrays.copyOf(salt, 12));
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), nonce);
        byte[] sealed = cipher.doFinal(TEXT.getBytes(StandardCharsets.UTF_8));
        byte[] encoded = Base64.getMimeEncoder().encode(sealed);
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), nonce);
        String text = new String(cipher.doFinal(Base64.getMimeDecoder().decode(encoded)), StandardCharsets.UTF_8);
        return Stream.of(text.split("\n")).collect(Collectors.toList());
    }

    private static void printInfo(List<String> permit) {
        String now = LocalDateTime.of(2017, 10, 18, 0, 0).format(DateTimeFormatter.ofPattern("HH:mm:ss dd.MM.yyyy"));
        System.out.println("Информация о пользователе:");
        permit.stream().map(KEY_VALUE::matcher).filter(matcher -> matcher.matches())
                .map(matcher -> String.format("    %s: %s", matcher.group("key"), matcher.group("value")))
                .forEach(System.out::println);
        System.out.println("Информация о продукте:\n    Дата комплектации: " + now);
    }

    private static int validate(Logger log, List<String> permit) throws Exception {
        List<String> computer = new ArrayList<>(Arrays.asList("OS name : " + System.getProperty("os.name"),
                "RAM : " + Runtime.getRuntime().maxMemory()));
        for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            computer.add("Network adapter : " + card.getName());
        }
        log.debug("crypt.Converter - getLicensePermitFromBase64 : Request : Computer info : \nComputer name : SRV-OLD\n"
                + "Customer info : \nName : x\npin : {}\nprevious pin : \nserial : 8100123456", PIN);
        log.debug("hard.HardInfo - computer info : {}\n", String.join("\n", computer));
        System.out.println("Проверка лицензии завершилась с ошибкой.\nПо причине: " + permit.size());
        return 1;
    }

    private static final String TEXT = "Имя: Иван\nОтчество: Иванович\nФамилия: Иванов\ne-mail: ivan@example.org\n"
            + "Компания: ООО \"Ромашка\"\nСтрана: Российская Федерация\nИндекс: 300022\nГород: Тула г\nДом: 99\n";
}
