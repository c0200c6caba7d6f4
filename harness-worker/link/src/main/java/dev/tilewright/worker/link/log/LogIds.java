package dev.tilewright.worker.link.log;

import java.util.Map;

/** Ids of the work that a thread does, by their kind, such as {@code study}. */
public final class LogIds {

    private static final ScopedValue<Map<String, String>> IDS = ScopedValue.newInstance();

    private LogIds() {}

    /** Within the operation that is called on it, each record of this thread has these ids. */
    public static ScopedValue.Carrier with(Map<String, String> ids) {
        return ScopedValue.where(IDS, Map.copyOf(ids));
    }

    /** Ids of this thread. */
    static Map<String, String> current() {
        return IDS.orElse(Map.of());
    }
}
