package dev.tilewright.api.trial;

import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the trials of a study stand, as it is kept; those recorded as pruned are counted apart, because the search never
 * asked for them.
 *
 * @param asked by the search
 * @param fastest the completed trial with the shortest sustained screen, of two the one that was asked first;
 *     {@code null} if nothing was timed
 * @param screenTflops the highest sustained rate of screens of completed trials; {@code null} if there is none
 * @param finalTflops the same of the final
 */
public record Tally(
        int asked,
        int finished,
        int completed,
        int recorded,
        @Nullable UUID fastest,
        @Nullable Double screenTflops,
        @Nullable Double finalTflops) {

    /** The rate of what may be called the best; {@code null} if nothing may. */
    public @Nullable Double bestTflops(@Nullable Testbed testbed) {
        return TestbedKind.SIMULATED.isOf(testbed) ? screenTflops : finalTflops;
    }

    /** The stage that says what is the best; {@code null} likewise. */
    public @Nullable Stage bestStage(@Nullable Testbed testbed) {
        if (bestTflops(testbed) == null) {
            return null;
        }
        return TestbedKind.SIMULATED.isOf(testbed) ? Stage.SCREEN : Stage.FINAL;
    }
}
