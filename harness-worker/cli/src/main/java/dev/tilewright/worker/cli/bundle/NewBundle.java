package dev.tilewright.worker.cli.bundle;

import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code bundle init}: a bundle to start from. */
final class NewBundle {
    private static final String KERNEL = "gemm.ptx";

    private NewBundle() {}

    /** @param name of the bundle; {@code null} for that of the folder */
    static void write(Path directory, @Nullable String name, Printer out) throws IOException {
        Path folder = directory.toAbsolutePath().normalize();
        String called = name == null ? BundleSkeleton.nameOf(String.valueOf(folder.getFileName())) : name;
        if (!called.equals(BundleSkeleton.nameOf(called))) {
            throw CommandFailedException.usage(
                    "--name: must be lower-case letters, digits and '-', got '" + called + "'");
        }
        Map<String, String> files = new TreeMap<>();
        files.put(BundleFiles.DESCRIPTION, resource(BundleFiles.DESCRIPTION).replace("@NAME@", called));
        files.put(KERNEL, resource(KERNEL));
        for (String file : files.keySet()) {
            if (Files.exists(directory.resolve(file))) {
                throw CommandFailedException.usage(directory.resolve(file) + ": is there already");
            }
        }
        Files.createDirectories(directory);
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(directory.resolve(file.getKey()), file.getValue());
            out.println("written: " + directory.resolve(file.getKey()));
        }
        out.println("next: tilewright bundle check " + directory);
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = Objects.requireNonNull(NewBundle.class.getResourceAsStream(name + ".txt"), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
