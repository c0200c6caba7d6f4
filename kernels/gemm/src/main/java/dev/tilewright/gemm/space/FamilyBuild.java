package dev.tilewright.gemm.space;

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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Which build of the kernel families this process runs: two processes with the same id build the same text from the
 * same config. The id is the SHA-256 over names and bytes of all class files of {@code dev.tilewright.gemm} and
 * {@code dev.tilewright.ptx}, wherever they were loaded from.
 *
 * @param id 64 hexadecimal digits
 */
public record FamilyBuild(String id) {

    private static final String GEMM = "dev/tilewright/gemm/";
    private static final String PTX = "dev/tilewright/ptx/";
    /** By name: this package looks at the bytes of the builder's classes, not at what they do. */
    private static final String PTX_MEMBER = "dev.tilewright.ptx.PtxModule";

    /**
     * Reads the running build.
     *
     * @throws IllegalStateException if the class files cannot be found
     */
    public static FamilyBuild running() {
        SortedMap<String, byte[]> classes = new TreeMap<>();
        classes.putAll(classesOf(FamilyBuild.class, GEMM));
        classes.putAll(classesOf(ptxMember(), PTX));
        MessageDigest digest = Sha256.digest();
        classes.forEach((name, bytes) -> {
            digest.update((name + "\n" + bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
            digest.update(bytes);
        });
        return new FamilyBuild(HexFormat.of().formatHex(digest.digest()));
    }

    private static Class<?> ptxMember() {
        try {
            return Class.forName(PTX_MEMBER, false, FamilyBuild.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("no class " + PTX_MEMBER + " beside " + FamilyBuild.class.getName(), e);
        }
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
