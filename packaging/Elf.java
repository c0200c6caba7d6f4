import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The symbol versions that an x86-64 ELF file requires of its libraries, read from its bytes (section .gnu.version_r). */
record Elf(ByteBuffer bytes) {

    /** Section type SHT_GNU_verneed. */
    private static final int VERNEED = 0x6ffffffe;

    /** One required version, as {@code GLIBC_2.17}, and where its Elf64_Vernaux record lies: hash, flags, other, name, next. */
    record Need(String version, int record) {}

    static boolean isElf(byte[] file) {
        return file.length > 64 && file[0] == 0x7f && file[1] == 'E' && file[2] == 'L' && file[3] == 'F';
    }

    /** Wraps the bytes without a copy. */
    static Elf of(byte[] file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        if (!isElf(file) || bytes.get(4) != 2 || bytes.getShort(18) != 62) {
            throw new IOException("not a 64-bit x86-64 ELF file");
        }
        return new Elf(bytes);
    }

    List<Need> needs() {
        var needs = new ArrayList<Need>();
        int sections = (int) bytes.getLong(40);
        for (int i = 0; i < bytes.getShort(60); i++) {
            // Elf64_Shdr is 64 bytes: type at 4, offset at 24, link at 40, info (here: the number of records) at 44.
            int header = sections + 64 * i;
            if (bytes.getInt(header + 4) != VERNEED) {
                continue;
            }
            int strings = (int) bytes.getLong(sections + 64 * bytes.getInt(header + 40) + 24);
            int library = (int) bytes.getLong(header + 24);
            for (int left = bytes.getInt(header + 44); left > 0; left--) {
                // Elf64_Verneed: version, number of Vernaux, file name, offset of the first Vernaux, offset of the next.
                int record = library + bytes.getInt(library + 8);
                for (int versions = bytes.getShort(library + 2); versions > 0; versions--) {
                    needs.add(new Need(string(strings + bytes.getInt(record + 8)), record));
                    record += bytes.getInt(record + 12);
                }
                library += bytes.getInt(library + 12);
            }
        }
        return needs;
    }

    /** Makes the file ask for version {@code to}, which it must require already, where it asks for {@code from}. */
    void redirect(String from, String to) {
        List<Need> needs = needs();
        Need target = needs.stream().filter(need -> need.version().equals(to)).findFirst().orElseThrow();
        for (Need need : needs) {
            if (need.version().equals(from)) {
                bytes.putInt(need.record(), bytes.getInt(target.record()));
                bytes.putInt(need.record() + 8, bytes.getInt(target.record() + 8));
            }
        }
    }

    private String string(int start) {
        int end = start;
        while (bytes.get(end) != 0) {
            end++;
        }
        return new String(bytes.array(), start, end - start, StandardCharsets.US_ASCII);
    }
}
