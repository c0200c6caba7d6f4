import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies jars with their entries stored instead of deflated: xz finds what jars have in common only when it can read it.
 * {@code java StoreJars.java <folder> <jar>...}; the entries keep their order, their times become one fixed time.
 */
static final FileTime TIME = FileTime.from(Instant.parse("2000-01-01T00:00:00Z"));

void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    for (String jar : List.of(args).subList(1, args.length)) {
        store(Path.of(jar), folder.resolve(Path.of(jar).getFileName()));
    }
}

void store(Path jar, Path target) throws IOException {
    try (var in = new ZipFile(jar.toFile());
            var out = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(target)))) {
        for (ZipEntry entry : Collections.list(in.entries())) {
            // Of CUDA's libraries the product calls the driver and the compiler of PTX alone.
            if (entry.getName().contains("libJCudaRuntime") || entry.getName().contains("libJNvrtc")) {
                continue;
            }
            byte[] bytes = in.getInputStream(entry).readAllBytes();
            if (entry.getName().contains("libJNvPTXCompiler")) {
                // It asks for log and pow of GLIBC 2.29, which differ from those of 2.2.5 in errno alone; a node with
                // 2.28 (RHEL 8) would refuse the library. Every x86-64 C library has the 2.2.5 ones.
                Elf.of(bytes).redirect("GLIBC_2.29", "GLIBC_2.2.5");
            }
            var crc = new CRC32();
            crc.update(bytes);
            var stored = new ZipEntry(entry.getName());
            stored.setMethod(ZipEntry.STORED);
            stored.setSize(bytes.length);
            stored.setCrc(crc.getValue());
            stored.setLastModifiedTime(TIME);
            out.putNextEntry(stored);
            out.write(bytes);
            out.closeEntry();
        }
    }
}
