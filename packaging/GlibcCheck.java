import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Fails when an ELF file requires a GLIBC symbol version above the limit: it would not load on an older GPU node.
 * {@code java GlibcCheck.java <limit, as 2.28> <folder or file>...}. Looks into jars and, by the tar of the PATH, into
 * .txz files in them. Exit 1 for a version above the limit, and when no ELF file was found at all.
 */
record Need(String file, Runtime.Version version) {}

static final List<Need> NEEDS = new ArrayList<>();

void main(String[] args) throws IOException, InterruptedException {
    var limit = Runtime.Version.parse(args[0]);
    int elfFiles = 0;
    for (String root : List.of(args).subList(1, args.length)) {
        elfFiles += walk(Path.of(root), root);
    }
    List<Need> above = NEEDS.stream().filter(need -> need.version().compareTo(limit) > 0).toList();
    above.forEach(need -> System.err.println(need.file() + " needs GLIBC_" + need.version()));
    String highest = NEEDS.stream().map(Need::version).max(Comparator.naturalOrder()).map(Object::toString).orElse("none");
    System.out.println("glibc: " + elfFiles + " ELF files, highest version required " + highest + ", limit " + limit);
    System.exit(above.isEmpty() && elfFiles > 0 ? 0 : 1);
}

/** Returns how many ELF files lie at or under the path. */
int walk(Path root, String name) throws IOException, InterruptedException {
    int elfFiles = 0;
    List<Path> files;
    try (Stream<Path> found = Files.walk(root)) {
        files = found.filter(file -> Files.isRegularFile(file) && !Files.isSymbolicLink(file)).toList();
    }
    for (Path file : files) {
        try (InputStream in = Files.newInputStream(file)) {
            elfFiles += read(in, name + "/" + root.relativize(file));
        }
    }
    return elfFiles;
}

int read(InputStream in, String name) throws IOException, InterruptedException {
    if (name.endsWith(".jar")) {
        int elfFiles = 0;
        var zip = new ZipInputStream(in);
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            elfFiles += read(zip, name + "!" + entry.getName());
        }
        return elfFiles;
    }
    if (name.endsWith(".txz")) {
        return unpack(in, name);
    }
    byte[] file = in.readAllBytes();
    if (!Elf.isElf(file)) {
        return 0;
    }
    for (Elf.Need need : Elf.of(file).needs()) {
        // GLIBC_PRIVATE goes from one part of the C library to another: no file of ours has it.
        if (need.version().startsWith("GLIBC_")) {
            NEEDS.add(new Need(name, Runtime.Version.parse(need.version().substring("GLIBC_".length()))));
        }
    }
    return 1;
}

int unpack(InputStream in, String name) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("glibc-check");
    try {
        Process tar = new ProcessBuilder("tar", "-xJ", "-C", folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var to = tar.getOutputStream()) {
            in.transferTo(to);
        }
        if (tar.waitFor() != 0) {
            throw new IOException("tar could not unpack " + name);
        }
        return walk(folder, name + "!");
    } finally {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
