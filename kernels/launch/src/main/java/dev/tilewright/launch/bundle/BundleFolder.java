package dev.tilewright.launch.bundle;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.TreeMap;

/** Reads the files below a folder, and follows no link. */
final class BundleFolder extends SimpleFileVisitor<Path> {
    private final Path root;
    private final Map<String, byte[]> contents = new TreeMap<>();
    private long bytes;

    private BundleFolder(Path root) {
        this.root = root;
    }

    static BundleFiles read(Path root) throws IOException {
        BundleFolder reader = new BundleFolder(root);
        Files.walkFileTree(root, reader);
        return BundleFiles.of(reader.contents);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        return !folder.equals(root) && BundleFiles.isHidden(name(folder))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (BundleFiles.isHidden(name(file))) {
            return FileVisitResult.CONTINUE;
        }
        String path =
                root.relativize(file).toString().replace(file.getFileSystem().getSeparator(), "/");
        if (!attributes.isRegularFile()) {
            throw new BundleException(
                    path + ": a bundle has plain files, got " + (attributes.isSymbolicLink() ? "a link" : "a device"));
        }
        // Before it is read: a folder that was named by mistake may hold anything.
        BundleFiles.requireWithin(path + ": bytes of a file", attributes.size(), BundleFiles.MOST_FILE_BYTES);
        bytes += attributes.size();
        BundleFiles.requireWithin("bytes of all files of a bundle", bytes, BundleFiles.MOST_BYTES);
        BundleFiles.requireWithin("files of a bundle", contents.size() + 1L, BundleFiles.MOST_FILES);
        contents.put(path, Files.readAllBytes(file));
        return FileVisitResult.CONTINUE;
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }
}
