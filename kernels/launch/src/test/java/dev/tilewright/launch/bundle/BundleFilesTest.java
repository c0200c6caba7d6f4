package dev.tilewright.launch.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BundleFilesTest {
    private static final byte[] TEXT = "text".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    private static byte[] zip(String... names) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(name.endsWith("/") ? new byte[0] : TEXT);
            }
        }
        return bytes.toByteArray();
    }

    private static BundleFiles read(byte[] zip) throws IOException {
        return BundleFiles.unzipped(new ByteArrayInputStream(zip));
    }

    /** Such a bundle cannot be written into a folder, on no machine or not on each. */
    @ParameterizedTest
    @CsvSource({
        "kernel.yaml, kernel.yaml/x, kernel.yaml, kernel.yaml/",
        "a/b/c.ptx, a/b, a/b, a/b/",
        "Kernel.yaml, kernel.yaml, Kernel.yaml, kernel.yaml",
        "ptx/a.ptx, PTX/b.ptx, PTX/, ptx/",
        "x/A.ptx, x/a.ptx, x/A.ptx, x/a.ptx"
    })
    void aPathIsAFileOrAFolderInOneSpelling(String one, String other, String first, String second) {
        assertThatThrownBy(() -> read(zip("kernel.ptx", one, other)))
                .isInstanceOf(BundleException.class)
                .hasMessage("a bundle has each path once, as a file or as a folder, in one spelling; got '" + first
                        + "' and '" + second + "'");
    }

    @Test
    void folderAndArchiveAreTheSame() throws IOException {
        Files.createDirectories(folder.resolve("ptx"));
        Files.write(folder.resolve("kernel.yaml"), TEXT);
        Files.write(folder.resolve("ptx/a.ptx"), TEXT);
        Files.write(folder.resolve(".DS_Store"), TEXT);
        BundleFiles files = BundleFiles.read(folder);
        assertThat(files.names()).containsExactly("kernel.yaml", "ptx/a.ptx");
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        files.zip(zip);
        ByteArrayOutputStream again = new ByteArrayOutputStream();
        files.zip(again);
        assertThat(zip.toByteArray()).isEqualTo(again.toByteArray());
        assertThat(read(zip.toByteArray())).isEqualTo(files);
        assertThat(read(zip("one/kernel.yaml", "one/", "one/ptx/a.ptx", "one/.hidden/x")))
                .isEqualTo(files);
    }

    @Test
    void hashSeesNamesAndBytes() {
        String hash = BundleFiles.of(Map.of("a", TEXT, "b", new byte[0])).hash();
        assertThat(hash).hasSize(64);
        assertThat(BundleFiles.of(Map.of("a", new byte[0], "b", TEXT)).hash()).isNotEqualTo(hash);
        assertThat(BundleFiles.of(Map.of("a", TEXT, "c", new byte[0])).hash()).isNotEqualTo(hash);
        assertThat(BundleFiles.of(Map.of("b", new byte[0], "a", TEXT)).hash()).isEqualTo(hash);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../a", "a/../../b", "/etc/passwd", "a//b", "a\\b", "C:/a", "a b", "a/./b", "naïve", ".."})
    void refusesPathsThatLeadElsewhere(String path) throws IOException {
        assertThatThrownBy(() -> BundleFiles.of(Map.of(path, TEXT)))
                .isInstanceOf(BundleException.class)
                .hasMessageContaining("got '" + path + "'");
        assertThatThrownBy(() -> read(zip("x", path)))
                .isInstanceOf(BundleException.class)
                .hasMessageContaining(path);
    }

    @Test
    void refusesWhatIsTooMuch() throws IOException {
        Map<String, byte[]> many = new HashMap<>();
        for (int i = 0; i <= BundleFiles.MOST_FILES; i++) {
            many.put("f" + i, TEXT);
        }
        assertThatThrownBy(() -> BundleFiles.of(many)).hasMessage("files of a bundle: at most 1000, got 1001");
        byte[] large = new byte[BundleFiles.MOST_FILE_BYTES + 1];
        assertThatThrownBy(() -> BundleFiles.of(Map.of("a", large)))
                .hasMessage("a: bytes of a file: at most 16777216, got 16777217");
        byte[] most = new byte[BundleFiles.MOST_FILE_BYTES];
        assertThatThrownBy(() -> BundleFiles.of(Map.of("a", most, "b", most, "c", most, "d", most, "e", TEXT)))
                .hasMessage("bytes of all files of a bundle: at most 67108864, got 67108868");
        Files.write(folder.resolve("a"), large);
        assertThatThrownBy(() -> BundleFiles.read(folder)).hasMessageContaining("a: bytes of a file: at most 16777216");
    }

    @Test
    void aBombIsNotUnpacked() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] zeros = new byte[1 << 20];
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("zeros"));
            for (int i = 0; i < 40; i++) {
                zip.write(zeros);
            }
        }
        assertThat(bytes.size()).isLessThan(1 << 17);
        assertThatThrownBy(() -> read(bytes.toByteArray()))
                .hasMessage("zeros: bytes of a file: at most 16777216, got 16777217");
    }

    @Test
    void refusesLinks() throws IOException {
        Files.createSymbolicLink(folder.resolve("a"), Path.of("/etc/hostname"));
        assertThatThrownBy(() -> BundleFiles.read(folder)).hasMessage("a: a bundle has plain files, got a link");
        byte[] zip = zip("kernel.yaml", "link");
        asUnixLink(zip, "link");
        assertThatThrownBy(() -> read(zip)).hasMessageContaining("got a link or a device as entry 2");
    }

    /** Marks an entry in the directory at the end, as {@code zip -y} does. */
    private static void asUnixLink(byte[] zip, String name) {
        String text = new String(zip, StandardCharsets.ISO_8859_1);
        int header = text.lastIndexOf(name) - 46;
        zip[header + 5] = 3;
        zip[header + 41] = (byte) 0xA1;
    }

    @Test
    void refusesANameThatComesTwice() throws IOException {
        byte[] zip = zip("aa", "ab");
        String text = new String(zip, StandardCharsets.ISO_8859_1);
        byte[] doubled = text.replace("ab", "aa").getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> read(doubled)).hasMessage("a bundle's zip has a name once, got 'aa' twice");
    }

    @Test
    void refusesWhatIsNoZip() throws IOException {
        assertThatThrownBy(() -> read(TEXT)).isInstanceOf(BundleException.class).hasMessageContaining("is no zip");
        byte[] zip = zip("a", "b");
        for (int cut = 1; cut < zip.length; cut++) {
            byte[] part = java.util.Arrays.copyOf(zip, zip.length - cut);
            assertThatThrownBy(() -> read(part)).isInstanceOf(BundleException.class);
        }
    }

    @Test
    void saysWhichFilesThereAre() {
        assertThatThrownBy(() -> BundleFiles.of(Map.of("a", TEXT)).text("kernel.yaml"))
                .hasMessage("the bundle has no file 'kernel.yaml'; it has a");
        assertThatThrownBy(() -> BundleFiles.of(Map.of()).text("kernel.yaml"))
                .hasMessage("the bundle has no file 'kernel.yaml'; it has none at all");
        assertThatThrownBy(() -> BundleFiles.of(Map.of("a", new byte[] {-1})).text("a"))
                .hasMessage("a: is no UTF-8 text");
    }
}
