package dev.tilewright.gemm;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What a run of all tests looks at where all of it would take minutes: other members in each run. A run with
 * {@code --full} looks at everything; {@code -Dtest.arguments=-Drows.seed=N} draws the same again.
 */
public final class Drawn {

    private Drawn() {}

    /** So many of all, in an order of their own; all of them with {@code --full}. */
    public static <T> List<T> of(Collection<T> all, int count) {
        List<T> drawn = new ArrayList<>(all);
        if (System.getProperty("excluded.test.groups", "full").contains("full")) {
            Collections.shuffle(drawn, new Random(Long.getLong("rows.seed", new SecureRandom().nextLong())));
            return List.copyOf(drawn.subList(0, Math.min(count, drawn.size())));
        }
        return drawn;
    }
}
