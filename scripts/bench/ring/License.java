import com.fasterxml.jackson.databind.*;
import java.net.NetworkInterface;
import java.nio.file.*;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.*;
import java.util.function.ToIntFunction;
import javax.crypto.*;
import javax.crypto.spec.*;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.slf4j.*;

/** The license module: decrypts a permit with Bouncy Castle, reads it with Jackson, looks at the machine, prints. */
public final class License implements ToIntFunction<List<String>> {
    private static final Logger LOG = LoggerFactory.getLogger("com._1c.license.activator.crypt.Converter");

    @Override
    public int applyAsInt(List<String> arguments) {
        try {
            return run(arguments);
        } catch (Exception e) {
            LOG.debug("failed", e);
            System.out.println("Операция завершилась с ошибкой.\nПо причине: " + e.getMessage());
            return 1;
        }
    }

    private int run(List<String> arguments) throws Exception {
        JsonNode permit = null;
        Path directory = Paths.get(arguments.get(arguments.indexOf("--path") + 1));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.lic")) {
            for (Path file : files) {
                permit = read(file);
            }
        }
        if (permit == null) {
            throw new IllegalStateException("Лицензия не найдена");
        }
        switch (arguments.get(arguments.indexOf("license") + 1)) {
            case "list":
                System.out.println(permit.get("pin").asText() + "-8100123456 (file name: \"license.lic\")");
                return 0;
            case "info":
                System.out.println("Информация о пользователе:");
                permit.get("owner").fields()
                        .forEachRemaining(e -> System.out.printf("    %s: %s%n", e.getKey(), e.getValue().asText()));
                System.out.println("Информация о продукте:\n    Дата комплектации: " + LocalDateTime
                        .parse(permit.get("made").asText()).format(DateTimeFormatter.ofPattern("HH:mm:ss dd.MM.yyyy")));
                return 0;
            default:
                return validate(permit);
        }
    }

    private static JsonNode read(Path file) throws Exception {
        byte[] bytes = Base64.getMimeDecoder().decode(Files.readAllBytes(file));
        BouncyCastleProvider provider = new BouncyCastleProvider();
        PBEKeySpec password = new PBEKeySpec("bench".toCharArray(), Arrays.copyOf(bytes, 16), 1_000, 128);
        byte[] key = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256", provider).generateSecret(password).getEncoded();
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", provider);
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, bytes, 16, 12));
        return new ObjectMapper().readTree(cipher.doFinal(bytes, 28, bytes.length - 28));
    }

    private static int validate(JsonNode permit) throws Exception {
        List<String> computer = new ArrayList<>(Collections.singletonList("OS name : " + System.getProperty("os.name")));
        for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            computer.add("Network adapter : " + card.getName());
        }
        LOG.debug("getLicensePermitFromBase64 : Request : Computer info : \nComputer name : SRV-OLD\nCustomer info : \n"
                + "Name : x\npin : {}\nprevious pin : ", permit.get("pin").asText());
        LoggerFactory.getLogger("com._1c.license.activator.hard.HardInfo")
                .debug("computer info : {}\n", String.join("\n", computer));
        System.out.println("Проверка лицензии завершилась с ошибкой.\nПо причине: Ключевые параметры не соответствуют");
        return 1;
    }
}
