package dev.tilewright.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Sha256;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.space.families.FamilyBuild;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same classes have the same id wherever they lie, other classes have another. */
class FamilyBuildTest {

    private static final List<Class<?>> MEMBERS =
            List.of(FamilyBuild.class, GemmKernel.class, PtxModule.class, Sha256.class);

    @TempDir
    private Path folder;

    @Test
    void foldersAndJarsGiveTheSameId() throws Exception {
        List<URL> folders = new ArrayList<>();
        List<URL> jars = new ArrayList<>();
        for (Class<?> member : MEMBERS) {
            Map<String, byte[]> classes = classesBeside(member);
            folders.add(folder(member.getSimpleName(), classes));
            jars.add(jar(member.getSimpleName(), classes));
        }
        assertThat(FamilyBuild.running().id()).matches("[0-9a-f]{64}");
        assertThat(idOf(folders)).isEqualTo(FamilyBuild.running().id());
        assertThat(idOf(jars)).isEqualTo(FamilyBuild.running().id());
    }

    @Test
    void anotherClassIsAnotherBuild() throws Exception {
        List<URL> locations = new ArrayList<>();
        for (Class<?> member : MEMBERS) {
            Map<String, byte[]> classes = classesBeside(member);
            if (member == PtxModule.class) {
                classes.put("dev/tilewright/ptx/Added.class", new byte[] {1});
            }
            locations.add(folder("changed" + member.getSimpleName(), classes));
        }
        assertThat(idOf(locations)).isNotEqualTo(FamilyBuild.running().id());
    }

    /** Runs {@code FamilyBuild.running()} on classes loaded from these places alone. */
    private static String idOf(List<URL> locations) throws Exception {
        try (URLClassLoader loader =
                new URLClassLoader(locations.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> type = loader.loadClass(FamilyBuild.class.getName());
            Object build = type.getMethod("running").invoke(null);
            return (String) type.getMethod("id").invoke(build);
        }
    }

    private static Map<String, byte[]> classesBeside(Class<?> member) throws Exception {
        Path source = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(source)) {
            return read(source);
        }
        try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + source.toUri()), Map.of())) {
            return read(jar.getPath("/"));
        }
    }

    private static Map<String, byte[]> read(Path root) throws IOException {
        Map<String, byte[]> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                classes.put(root.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return classes;
    }

    private URL folder(String name, Map<String, byte[]> classes) throws IOException {
        Path root = folder.resolve(name);
        for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
            Path file = root.resolve(entry.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, entry.getValue());
        }
        return root.toUri().toURL();
    }

    private URL jar(String name, Map<String, byte[]> classes) throws IOException {
        Path file = folder.resolve(name + ".jar");
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out)) {
            for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
                jar.putNextEntry(new JarEntry(entry.getKey()));
                jar.write(entry.getValue());
            }
        }
        return file.toUri().toURL();
    }
}
