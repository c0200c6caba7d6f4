package dev.tilewright.launch.bundle;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Bundles as zip archives. An archive is data of a stranger: whatever it claims, no more than the limits is read. */
final class BundleArchive {
    /** The earliest that a zip can say; it has no zone. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private static final int END = 0x0605_4b50;
    private static final int END_BYTES = 22;
    private static final int MOST_COMMENT = 65_535;
    private static final int HEADER = 0x0201_4b50;
    private static final int HEADER_BYTES = 46;
    private static final int UNIX = 3;
    private static final int TYPE = 0xF000;
    private static final int FOLDER = 0x4000;
    private static final int PLAIN = 0x8000;

    private BundleArchive() {}

    static BundleFiles read(InputStream stream) throws IOException {
        byte[] zip = stream.readNBytes(BundleFiles.MOST_BYTES + 1);
        BundleFiles.requireWithin("bytes of a bundle's zip", zip.length, BundleFiles.MOST_BYTES);
        requirePlain(ByteBuffer.wrap(zip).order(ByteOrder.LITTLE_ENDIAN));
        Map<String, byte[]> contents = new TreeMap<>();
        long left = BundleFiles.MOST_BYTES;
        int entries = 0;
        try (ZipInputStream entriesOf = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = entriesOf.getNextEntry(); entry != null; entry = entriesOf.getNextEntry()) {
                BundleFiles.requireWithin("entries of a bundle's zip", ++entries, 2L * BundleFiles.MOST_FILES);
                String path = entry.getName();
                byte[] content = entriesOf.readNBytes((int) Math.min(BundleFiles.MOST_FILE_BYTES, left) + 1);
                BundleFiles.requireWithin(path + ": bytes of a file", content.length, BundleFiles.MOST_FILE_BYTES);
                BundleFiles.requireWithin("bytes of all files of a bundle", content.length, left);
                left -= content.length;
                if (entry.isDirectory() || Arrays.stream(path.split("/")).anyMatch(BundleFiles::isHidden)) {
                    continue;
                }
                BundleFiles.requirePath(path);
                if (contents.put(path, content) != null) {
                    throw new BundleException("a bundle's zip has a name once, got '" + path + "' twice");
                }
            }
        } catch (ZipException | IllegalArgumentException malformed) {
            throw malformed instanceof BundleException refused
                    ? refused
                    : new BundleException("is no zip: " + malformed.getMessage(), malformed);
        }
        return BundleFiles.of(unwrapped(contents));
    }

    /** The contents without the one folder that all of them lie in, if they do. */
    private static Map<String, byte[]> unwrapped(Map<String, byte[]> contents) {
        String first = contents.isEmpty() ? "" : contents.keySet().iterator().next();
        String folder = first.substring(0, first.indexOf('/') + 1);
        if (folder.isEmpty() || !contents.keySet().stream().allMatch(path -> path.startsWith(folder))) {
            return contents;
        }
        Map<String, byte[]> inner = new TreeMap<>();
        contents.forEach((path, content) -> inner.put(path.substring(folder.length()), content));
        return inner;
    }

    /** Only the directory at the end of a zip says whether an entry is a link. */
    private static void requirePlain(ByteBuffer zip) {
        int end = zip.limit() - END_BYTES;
        int first = Math.max(0, end - MOST_COMMENT);
        while (end >= first && zip.getInt(end) != END) {
            end--;
        }
        if (end < first) {
            throw new BundleException("is no zip: it has no directory at its end");
        }
        int entries = Short.toUnsignedInt(zip.getShort(end + 10));
        int at = zip.getInt(end + 16);
        for (int i = 0; i < entries; i++) {
            if (at < 0 || at > end - HEADER_BYTES || zip.getInt(at) != HEADER) {
                throw new BundleException("is no zip: its directory is damaged at entry " + (i + 1));
            }
            int type = zip.getInt(at + 38) >>> 16 & TYPE;
            boolean unix = zip.get(at + 5) == UNIX;
            if (unix && type != 0 && type != FOLDER && type != PLAIN) {
                throw new BundleException("a bundle's zip has plain files, got a link or a device as entry " + (i + 1));
            }
            at += HEADER_BYTES
                    + Short.toUnsignedInt(zip.getShort(at + 28))
                    + Short.toUnsignedInt(zip.getShort(at + 30))
                    + Short.toUnsignedInt(zip.getShort(at + 32));
        }
    }

    static void write(BundleFiles files, OutputStream out) throws IOException {
        ZipOutputStream zip = new ZipOutputStream(out);
        for (Map.Entry<String, byte[]> file : files.contents().entrySet()) {
            ZipEntry entry = new ZipEntry(file.getKey());
            entry.setTimeLocal(TIME);
            zip.putNextEntry(entry);
            zip.write(file.getValue());
            zip.closeEntry();
        }
        zip.finish();
    }
}
