package dev.tilewright.worker.agent.trial;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the wall time of a final went.
 *
 * @param preparedNs until all contenders were built and assembled
 * @param allNs from the beginning to the end
 * @param partsNs what the runner says of its parts
 */
record FinalAccount(long preparedNs, long allNs, Map<String, Long> partsNs) {

    /** The parts in the order in which they come, and what each is. */
    private static final List<Map.Entry<String, String>> PARTS = List.of(
            Map.entry("reference", "test data"),
            Map.entry("load", "contenders loaded"),
            Map.entry("peers", "peers found"),
            Map.entry("anchor", "anchor"),
            Map.entry("contend", "races"),
            Map.entry("final", "final"),
            Map.entry("verify", "verification"));

    /** One line for the log. */
    String line() {
        Stream<String> parts = PARTS.stream()
                .filter(part -> partsNs.containsKey(part.getKey()))
                .map(part -> part.getValue() + " " + seconds(partsNs.get(part.getKey())));
        return "final took " + seconds(allNs) + ": "
                + Stream.concat(Stream.of("contenders prepared " + seconds(preparedNs)), parts)
                        .collect(Collectors.joining(", "));
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }
}
