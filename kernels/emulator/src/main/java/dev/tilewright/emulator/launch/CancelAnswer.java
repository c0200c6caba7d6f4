package dev.tilewright.emulator.launch;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.number.Bytes;
import java.util.List;

/**
 * The 16 bytes that answer a try_cancel. They are opaque to kernels; here they hold the coordinates of the first CTA
 * and, in the last word, whether there is one. Zeros, which kernels write themselves, say that there is none.
 */
public record CancelAnswer(boolean isCanceled, int x, int y, int z) {
    /** Bytes of an answer. */
    public static final int BYTES = 16;

    private static final int SUCCESS = 0x434C4301;
    private static final int FAILURE = 0x434C4300;
    private static final int POISON = 0xFFFFFFFF;

    /** No cluster was cancelled; the coordinates are garbage. */
    public static final CancelAnswer FAILED = new CancelAnswer(false, POISON, POISON, POISON);

    public byte[] bytes() {
        byte[] bytes = new byte[BYTES];
        Bytes.put(bytes, 0, 4, x);
        Bytes.put(bytes, 4, 4, y);
        Bytes.put(bytes, 8, 4, z);
        Bytes.put(bytes, 12, 4, isCanceled ? SUCCESS : FAILURE);
        return bytes;
    }

    /** The meaning of the halves of a register. */
    public static CancelAnswer of(long low, long high) {
        int tag = (int) (high >>> 32);
        boolean zeros = low == 0 && high == 0;
        if (tag != SUCCESS && tag != FAILURE && !zeros) {
            throw new HazardFound(new Hazard.LaunchControlMisuse(
                    "clusterlaunchcontrol.query_cancel of 16 bytes that are no answer: 0x" + Long.toHexString(high)
                            + " and 0x" + Long.toHexString(low),
                    List.of()));
        }
        return new CancelAnswer(tag == SUCCESS, (int) low, (int) (low >>> 32), (int) high);
    }
}
