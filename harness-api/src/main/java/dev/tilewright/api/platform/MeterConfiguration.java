package dev.tilewright.api.platform;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Leaves out series of libraries that are 0 whatever happens: they tell nobody anything, and somebody looks at them.
 */
@Configuration(proxyBeanMethods = false)
class MeterConfiguration {

    /** Nothing is logged below {@code info}. */
    private static final Set<String> LEVELS = Set.of("trace", "debug");

    /** A thread that the JVM counts has begun and is not over. */
    private static final Set<String> STATES = Set.of("new", "terminated");

    @Bean
    MeterFilter nothingThatIsAlwaysZero() {
        return MeterFilter.deny(MeterConfiguration::isAlwaysZero);
    }

    private static boolean isAlwaysZero(Meter.Id meter) {
        return switch (meter.getName()) {
            case "logback.events" -> LEVELS.contains(tag(meter, "level"));
            case "jvm.threads.states" -> STATES.contains(tag(meter, "state"));
            // Nothing here has buffers outside the heap.
            case "jvm.buffer.count", "jvm.buffer.memory.used", "jvm.buffer.total.capacity" -> true;
            default -> false;
        };
    }

    private static String tag(Meter.Id meter, String key) {
        @Nullable String value = meter.getTag(key);
        return value == null ? "" : value;
    }
}
