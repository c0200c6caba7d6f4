package dev.tilewright.api.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.ToyFamily;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class StudySpacesTest {

    private static final Problem PROBLEM = Problem.of(new ProblemShape(640, 384, 256), DataType.BF16);

    /** A family whose space takes as long as the test wants. */
    private static final class Slow extends ToyFamily {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch may = new CountDownLatch(1);

        @Override
        public SearchSpace space(Problem problem, DeviceLimits limits) {
            begun.countDown();
            try {
                may.await();
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
            return super.space(problem, limits);
        }
    }

    /** What a service that stops cannot wait for, it would store as a fault of the study. */
    @Test
    void whoeverIsStoppedWhileAnotherBuildsASpaceHasItAllTheSame() throws Exception {
        Slow family = new Slow();
        StudySpaces spaces = new StudySpaces(new Families(List.of(family)), _ -> Optional.empty(), new SpaceTrees());
        Thread builder = Thread.ofPlatform().start(() -> size(spaces));
        family.begun.await();
        FutureTask<Boolean> stopped = new FutureTask<>(
                () -> size(spaces) == 20 && Thread.currentThread().isInterrupted());
        Thread driver = Thread.ofPlatform().start(stopped);
        Awaiting.until(() -> driver.getState() == Thread.State.WAITING);
        driver.interrupt();
        driver.join(50);
        assertThat(driver.isAlive()).isTrue();
        family.may.countDown();
        assertThat(stopped.get()).isTrue();
        builder.join();
    }

    private static long size(StudySpaces spaces) {
        return spaces.tree(PROBLEM, ToyFamily.NAME, SpaceRestriction.NONE, 132).size();
    }
}
