package dev.tilewright.launch.bundle;

import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.text.Count;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The files of a bundle by their paths, which are relative, with {@code /} between their parts. Nothing of them is
 * written anywhere.
 *
 * @param contents never written to
 */
public record BundleFiles(SortedMap<String, byte[]> contents) {
    public static final String DESCRIPTION = "kernel.yaml";
    public static final int MOST_FILES = 1000;
    public static final int MOST_FILE_BYTES = 16 << 20;
    public static final int MOST_BYTES = 64 << 20;

    private static final int MOST_CHARACTERS = 200;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_+=,@-][A-Za-z0-9_+=,@.-]*");

    /** @throws BundleException naming a path or a limit that is not kept */
    public BundleFiles {
        contents = Collections.unmodifiableSortedMap(new TreeMap<>(contents));
        long bytes = 0;
        for (Map.Entry<String, byte[]> file : contents.entrySet()) {
            requirePath(file.getKey());
            requireWithin(file.getKey() + ": bytes of a file", file.getValue().length, MOST_FILE_BYTES);
            bytes += file.getValue().length;
        }
        requireWithin("files of a bundle", contents.size(), MOST_FILES);
        requireWithin("bytes of all files of a bundle", bytes, MOST_BYTES);
        requireOnAnyDisk(contents);
    }

    /** Files and folders that exist beside each other on any machine, also where case does not count. */
    private static void requireOnAnyDisk(SortedMap<String, byte[]> contents) {
        Map<String, String> written = new HashMap<>();
        for (String path : contents.keySet()) {
            for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
                requireSame(written, path.substring(0, end + 1));
            }
            requireSame(written, path);
        }
    }

    /** A folder is remembered with the {@code /} at its end, so that a file of its name is another. */
    private static void requireSame(Map<String, String> written, String path) {
        String name = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        String before = written.putIfAbsent(name.toLowerCase(Locale.ROOT), path);
        if (before != null && !before.equals(path)) {
            throw new BundleException("a bundle has each path once, as a file or as a folder, in one spelling; got '"
                    + before + "' and '" + path + "'");
        }
    }

    /** @throws BundleException naming a path or a limit that is not kept */
    public static BundleFiles of(Map<String, byte[]> contents) {
        return new BundleFiles(new TreeMap<>(contents));
    }

    /**
     * The files of a folder, or of a zip. A name that begins with a dot is left out.
     *
     * @throws BundleException if something is no file, or a limit is not kept
     */
    public static BundleFiles read(Path folderOrZip) throws IOException {
        if (Files.isDirectory(folderOrZip)) {
            return BundleFolder.read(folderOrZip);
        }
        try (InputStream zip = Files.newInputStream(folderOrZip)) {
            return unzipped(zip);
        }
    }

    /**
     * The files of a zip. One folder around all of them does not count.
     *
     * @throws BundleException if it is no zip, has a link or a name twice, or a limit is not kept
     */
    public static BundleFiles unzipped(InputStream zip) throws IOException {
        return BundleArchive.read(zip);
    }

    /** Writes a zip; equal files make equal bytes. */
    public void zip(OutputStream out) throws IOException {
        BundleArchive.write(this, out);
    }

    public SortedSet<String> names() {
        return Collections.unmodifiableSortedSet(new java.util.TreeSet<>(contents.keySet()));
    }

    public boolean has(String path) {
        return contents.containsKey(path);
    }

    /** @throws BundleException if there is no such file */
    public byte[] bytes(String path) {
        byte[] content = contents.get(path);
        if (content == null) {
            throw new BundleException(
                    "the bundle has no file '" + path + "'; it has " + (contents.isEmpty() ? "none at all" : shown()));
        }
        return content.clone();
    }

    /** @throws BundleException if there is no such file, or it is no text */
    public String text(String path) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes(path)))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new BundleException(path + ": is no UTF-8 text", notText);
        }
    }

    /** SHA-256 over paths, sizes and bytes, in hexadecimal. */
    public String hash() {
        MessageDigest digest = Sha256.digest();
        contents.forEach((path, content) -> {
            digest.update((path + "\n" + content.length + "\n").getBytes(StandardCharsets.UTF_8));
            digest.update(content);
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    static void requireWithin(String what, long value, long most) {
        if (value > most) {
            throw new BundleException(what + ": at most " + most + ", got " + value);
        }
    }

    /** Whether a name is left out, as {@code .DS_Store} is. */
    static boolean isHidden(String name) {
        return name.startsWith(".") && !name.equals(".") && !name.equals("..");
    }

    static void requirePath(String path) {
        boolean kept = path.length() <= MOST_CHARACTERS;
        for (String part : path.split("/", -1)) {
            kept &= NAME.matcher(part).matches();
        }
        if (!kept) {
            throw new BundleException("the path of a file is relative, of parts " + NAME + " with / between, at most "
                    + MOST_CHARACTERS + " characters; got '" + path + "'");
        }
    }

    private String shown() {
        String names = String.join(", ", contents.keySet());
        return names.length() <= 400 ? names : names.substring(0, 400) + "...";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BundleFiles files && hash().equals(files.hash());
    }

    @Override
    public int hashCode() {
        return hash().hashCode();
    }

    @Override
    public String toString() {
        return Count.of(contents.size(), "file") + " " + hash();
    }
}
