package dev.tilewright.space.parameter;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.text.Spelling;
import dev.tilewright.space.text.Word;

/**
 * How much of a row L2 fetches from memory at once when a load of A or B misses it, in bytes: it stands in the tensor
 * maps, so that kernels of one text differ in it. A row of a stage has 128; with 256 the next stage's come along.
 */
public final class L2Promotion {

    public static final String PARAMETER = "l2Promotion";

    private static final int ROW_OF_A_STAGE = 128;
    private static final int ROWS_OF_TWO_STAGES = 256;

    private L2Promotion() {}

    public static Parameter parameter() {
        return Parameter.launch(PARAMETER, ROW_OF_A_STAGE, ROWS_OF_TWO_STAGES).usually(ROW_OF_A_STAGE);
    }

    public static Word word() {
        return Word.unless(
                PARAMETER + "=" + ROW_OF_A_STAGE,
                Spelling.of("l2-#", bytes -> "L2 fetches " + bytes.getFirst() + " bytes at once", PARAMETER));
    }

    /** Bytes; those of a row of a stage where a config says none. */
    public static int bytes(Config config) {
        return config.whole(PARAMETER, ROW_OF_A_STAGE);
    }
}
