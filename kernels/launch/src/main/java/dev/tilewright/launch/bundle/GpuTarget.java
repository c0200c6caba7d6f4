package dev.tilewright.launch.bundle;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The target that a kernel is compiled for, such as {@code sm_90a}.
 *
 * @param number ten times the major number of the compute capability, and the minor one: 90
 * @param features {@code a} for those of this GPU alone, {@code f} for those of its family; empty for none of these
 */
public record GpuTarget(int number, String features) {

    private static final Pattern TEXT = Pattern.compile("sm_(\\d{2,3})([af]?)");
    private static final int MINORS = 10;

    /** Of the header of an ELF file of 64 bits. */
    private static final int HEADER_BYTES = 64;

    private static final int MAGIC = 0x464C_457F;
    private static final int ABI_AT = 7;
    private static final int MACHINE_AT = 18;
    private static final int FLAGS_AT = 48;
    private static final int CUDA = 190;
    /** Since CUDA 13 the number stands in the second byte of the flags, before that in the first. */
    private static final int SECOND_BYTE_ABI = 0x41;

    /** Reads it; empty if it is none. */
    public static Optional<GpuTarget> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new GpuTarget(Integer.parseInt(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }

    /** The number in the header of a cubin; empty if it is no ELF file for CUDA. */
    static OptionalInt numberOf(byte[] cubin) {
        ByteBuffer header = ByteBuffer.wrap(cubin).order(ByteOrder.LITTLE_ENDIAN);
        if (cubin.length < HEADER_BYTES || header.getInt(0) != MAGIC || header.getShort(MACHINE_AT) != CUDA) {
            return OptionalInt.empty();
        }
        int flags = header.getInt(FLAGS_AT);
        return OptionalInt.of((header.get(ABI_AT) == SECOND_BYTE_ABI ? flags >>> Byte.SIZE : flags) & 0xFF);
    }

    /** Whether a GPU of a target runs a cubin that is compiled for this one: of one major number, and no older. */
    public boolean runsOn(GpuTarget gpu) {
        return features.equals("a")
                ? number == gpu.number
                : number / MINORS == gpu.number / MINORS && number <= gpu.number;
    }

    @Override
    public String toString() {
        return "sm_" + number + features;
    }
}
