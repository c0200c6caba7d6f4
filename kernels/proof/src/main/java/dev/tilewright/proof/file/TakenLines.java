package dev.tilewright.proof.file;

import dev.tilewright.emulator.run.Statistics.Taken;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The work that CTAs took by request, as lines for the reader: one for each counter. */
final class TakenLines {
    private static final int CTAS = 16;
    private static final int VALUES = 12;

    private TakenLines() {}

    static List<String> of(FileCheckResult checked) {
        Map<String, List<Taken>> counters = checked.taken().stream()
                .collect(Collectors.groupingBy(Taken::from, LinkedHashMap::new, Collectors.toList()));
        return counters.entrySet().stream()
                .map(counter -> "taken from " + counter.getKey() + " with seed " + checked.seed() + ": "
                        + counter.getValue().stream()
                                .limit(CTAS)
                                .map(TakenLines::cta)
                                .collect(Collectors.joining("; "))
                        + more(counter.getValue().size() - CTAS, "; ", " CTAs"))
                .toList();
    }

    private static String cta(Taken taken) {
        return "CTA " + taken.cta() + ": "
                + taken.values().stream().limit(VALUES).map(String::valueOf).collect(Collectors.joining(" "))
                + more(taken.values().size() - VALUES, " ", "");
    }

    private static String more(int left, String before, String what) {
        return left <= 0 ? "" : before + "and " + left + " more" + what;
    }
}
