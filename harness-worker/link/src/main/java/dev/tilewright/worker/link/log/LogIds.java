package dev.tilewright.worker.link.log;

import java.util.Map;

/** What the work of a thread is part of: ids by their kind, such as {@code study}. */
public final class LogIds {

    private static final ScopedValue<Map<String, String>> IDS = ScopedValue.newInstance();

    private LogIds() {}

    /** Within the operation that is called on it, each record of this thread has these ids. */
    public static ScopedValue.Carrier with(Map<String, String> ids) {
        return ScopedValue.where(IDS, Map.copyOf(ids));
    }

    /** Those of this thread. */
    static Map<String, String> current() {
        return IDS.orElse(Map.of());
    }
}
