import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import java.io.InputStream;
import java.net.*;
import java.nio.file.*;
import java.util.*;
import java.util.function.ToIntFunction;
import org.slf4j.LoggerFactory;
import org.yaml.snakeyaml.Yaml;

/**
 * Built like ring: lib/ on the class path, a YAML registry of modules, logback configured by XML, and the license
 * module in a class loader of its own. Java 8 bytecode.
 */
public final class Ring {
    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Exception {
        List<String> arguments = Arrays.asList(args);
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        context.putProperty("level", arguments.contains("debug") ? "DEBUG" : "WARN");
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Ring.class.getResource("/logging.xml"));

        Path registryFile = Paths.get(System.getProperty("ring.home"), "ring-commands.cfg");
        Map<String, Object> registry;
        try (InputStream stream = Files.newInputStream(registryFile)) {
            registry = new Yaml().load(stream);
        }
        if (arguments.contains("--version")) {
            System.out.println(registry.get("version"));
            return;
        }
        Map<String, List<String>> license = ((List<Map<String, List<String>>>) registry.get("license")).get(0);
        List<URL> jars = new ArrayList<>();
        for (String file : license.get("files")) {
            jars.add(registryFile.resolveSibling(file).toUri().toURL());
        }
        URLClassLoader loader = new URLClassLoader(jars.toArray(new URL[0]), Ring.class.getClassLoader());
        Object module = loader.loadClass("License").getConstructor().newInstance();
        int status = ((ToIntFunction<List<String>>) module).applyAsInt(arguments);
        context.stop();
        System.exit(status);
    }
}
