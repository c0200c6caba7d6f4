package dev.tilewright.api.best;

import dev.tilewright.model.trial.Testbed;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether what was measured may be so no longer: the GPUs that are there have another driver now.
 *
 * @param offered the testbeds of live workers, read once for a whole answer
 */
record Freshness(List<Testbed> offered) {

    /**
     * Why a config is stale; {@code null} if it is not, or if nobody offers its model of GPU, so that nobody knows.
     *
     * @param measured the testbed of its final
     */
    @Nullable
    String stale(Testbed measured) {
        TreeSet<String> drivers = new TreeSet<>();
        offered.stream()
                .filter(testbed ->
                        testbed.kind() == measured.kind() && testbed.device().equals(measured.device()))
                .forEach(testbed -> drivers.add(testbed.driver()));
        return drivers.isEmpty() || drivers.contains(measured.driver())
                ? null
                : "measured with driver " + measured.driver() + "; workers offer " + measured.device() + " with driver "
                        + String.join(", ", drivers);
    }
}
