import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Stands for ring in the tests: a real JVM that loads its license module by a class loader of its own, as ring does.
 * Java 8 bytecode.
 */
public class Ring {
    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Exception {
        List<String> arguments = Arrays.asList(args);
        if (arguments.contains("--version")) {
            System.out.println("0.19.5-12");
            return;
        }
        URL module = new File(System.getProperty("ring.home"), "module/license.jar").toURI().toURL();
        URLClassLoader loader = new URLClassLoader(new URL[] {module}, Ring.class.getClassLoader());
        ((Consumer<List<String>>) loader.loadClass("License").getConstructor().newInstance()).accept(arguments);
    }
}
