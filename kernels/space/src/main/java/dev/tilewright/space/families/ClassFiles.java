package dev.tilewright.space.families;

import dev.tilewright.model.space.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** The class files of this process, wherever they were loaded from: a folder, a jar, or a jar inside a jar. */
public final class ClassFiles {

    private ClassFiles() {}

    /**
     * SHA-256 over names and bytes of all class files of some packages.
     *
     * @param members for each folder of packages, such as {@code dev/tilewright/gemm/}, a class that lies in it
     * @return 64 hexadecimal digits
     * @throws IllegalStateException if the class files cannot be found
     */
    public static String hash(Map<String, Class<?>> members) {
        SortedMap<String, byte[]> classes = new TreeMap<>();
        members.forEach((prefix, member) -> classes.putAll(classesOf(member, prefix)));
        MessageDigest digest = Sha256.digest();
        classes.forEach((name, bytes) -> {
            digest.update((name + "\n" + bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
            digest.update(bytes);
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    private static SortedMap<String, byte[]> classesOf(Class<?> member, String prefix) {
        URL source = member.getProtectionDomain().getCodeSource().getLocation();
        try {
            SortedMap<String, byte[]> classes =
                    source.getProtocol().equals("jar") ? nested(source, prefix) : fromFile(source.toURI(), prefix);
            if (classes.isEmpty()) {
                throw new IllegalStateException("no class files of " + prefix + " in " + source);
            }
            return classes;
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("cannot read the class files of " + prefix + " in " + source, e);
        }
    }

    private static SortedMap<String, byte[]> fromFile(URI source, String prefix) throws IOException {
        Path path = Path.of(source);
        if (Files.isDirectory(path)) {
            return fromFolder(path, prefix);
        }
        try (JarFile jar = new JarFile(path.toFile())) {
            return fromJar(jar, prefix);
        }
    }

    /** A jar inside a jar, as an executable archive holds it; the connection's jar is shared, so it stays open. */
    private static SortedMap<String, byte[]> nested(URL source, String prefix) throws IOException {
        JarURLConnection connection = (JarURLConnection) source.openConnection();
        return fromJar(connection.getJarFile(), prefix);
    }

    private static SortedMap<String, byte[]> fromFolder(Path folder, String prefix) throws IOException {
        SortedMap<String, byte[]> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder.resolve(prefix))) {
            List<Path> found = files.filter(Files::isRegularFile).toList();
            for (Path file : found) {
                String name = folder.relativize(file)
                        .toString()
                        .replace(file.getFileSystem().getSeparator(), "/");
                if (isClass(name, prefix)) {
                    classes.put(name, Files.readAllBytes(file));
                }
            }
        }
        return classes;
    }

    private static SortedMap<String, byte[]> fromJar(JarFile jar, String prefix) {
        SortedMap<String, byte[]> classes = new TreeMap<>();
        jar.stream()
                .filter(entry -> isClass(entry.getName(), prefix))
                .forEach(entry -> classes.put(entry.getName(), read(jar, entry)));
        return classes;
    }

    private static boolean isClass(String name, String prefix) {
        return name.startsWith(prefix) && name.endsWith(".class");
    }

    private static byte[] read(JarFile jar, JarEntry entry) {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
