package dev.tilewright.results;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.zip.CRC32;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A JSON document as columns, as {@code docs/results/format.md} says. What is read is what was written: every name in
 * its order, every number to the last bit.
 */
public final class ColumnFile {

    /** How the names of such files end. */
    public static final String ENDING = ".columns";

    private static final byte[] MAGIC = "tilewright columns 1\n".getBytes(StandardCharsets.US_ASCII);

    private ColumnFile() {}

    /**
     * Reads a document from such a file, or from a file of JSON if its name ends otherwise.
     *
     * @throws IllegalArgumentException naming the file, if it is damaged or something else
     */
    public static JsonNode read(Path file) throws IOException {
        if (!file.toString().endsWith(ENDING)) {
            return JsonMapper.shared().readTree(file.toFile());
        }
        try {
            return document(Files.readAllBytes(file));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(file + ": " + wrong.getMessage(), wrong);
        }
    }

    /**
     * Writes a document; what was in the file before is gone.
     *
     * @throws IllegalArgumentException if a number of the document has more than 64 bits
     */
    public static void write(JsonNode document, Path file) throws IOException {
        Files.write(file, bytes(document));
    }

    /**
     * The bytes of such a file.
     *
     * @throws IllegalArgumentException naming a number that is neither whole with 64 bits nor a double
     */
    public static byte[] bytes(JsonNode document) {
        List<Column> columns = Column.of(document);
        Sink body = new Sink();
        body.number(columns.size());
        Sections.Writer sections = new Sections.Writer(body);
        columns.forEach(column -> column.write(sections));
        byte[] bytes = body.bytes();
        Sink file = new Sink();
        file.all(MAGIC);
        file.number(checksum(bytes));
        file.number(bytes.length);
        file.all(bytes);
        return file.bytes();
    }

    /**
     * The document of such a file's bytes.
     *
     * @throws IllegalArgumentException if they are damaged or something else
     */
    public static JsonNode document(byte[] bytes) {
        if (bytes.length < MAGIC.length || !Arrays.equals(MAGIC, 0, MAGIC.length, bytes, 0, MAGIC.length)) {
            throw new IllegalArgumentException("no file of columns: it does not begin with '"
                    + new String(MAGIC, StandardCharsets.US_ASCII).strip() + "'");
        }
        try {
            Source file = new Source(Arrays.copyOfRange(bytes, MAGIC.length, bytes.length));
            long checksum = file.number();
            byte[] body = file.all(file.count());
            file.end();
            if (checksum(body) != checksum) {
                throw new IllegalArgumentException("damaged: its checksum is another");
            }
            Source source = new Source(body);
            Sections.Reader sections = new Sections.Reader(source);
            List<Column> columns = new ArrayList<>();
            for (int left = source.count(); left > 0; left--) {
                columns.add(Column.read(sections));
            }
            source.end();
            return Column.document(columns);
        } catch (BufferUnderflowException | IndexOutOfBoundsException | NoSuchElementException damaged) {
            throw new IllegalArgumentException("damaged: something that it counts on is not there", damaged);
        }
    }

    private static long checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }
}
