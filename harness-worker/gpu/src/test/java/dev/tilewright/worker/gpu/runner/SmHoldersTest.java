package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.measure.StreamPlug;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Holders on a fake GPU with four SMs. */
class SmHoldersTest {

    private final FakeGpu gpu = new FakeGpu();
    private final AtomicLong now = new AtomicLong();
    private final SmHolders holders = new SmHolders(gpu, () -> now.addAndGet(100_000_000));
    private final StreamPlug plug = holders.renewing(new SpinPlug(gpu));

    private SmHolders.Hold hold(int sms) {
        return holders.hold(new Scenario(sms));
    }

    @Test
    void holdsAsManySmsAsAskedForUntilItIsClosed() {
        gpu.history.clear();
        try (SmHolders.Hold hold = hold(3)) {
            assertThat(hold.sms()).containsExactly(0, 1, 3);
            assertThat(gpu.holders().count()).isEqualTo(3);
            assertThat(hold.note("while timed")).hasValue("SMs held while timed: 0, 1, 3");
            hold.confirm();
        }
        assertThat(gpu.holders().count()).isZero();
        assertThat(gpu.history).containsExactly("hold 3", "let go");
        try (SmHolders.Hold again = hold(1)) {
            assertThat(again.sms()).containsExactly(1);
        }
    }

    @Test
    void aQuietScenarioHoldsNobody() {
        gpu.history.clear();
        try (SmHolders.Hold hold = hold(0)) {
            assertThat(hold.sms()).isEmpty();
            assertThat(hold.note("while timed")).isEmpty();
            plug.insert();
            hold.confirm();
        }
        assertThat(gpu.history).containsExactly("spin");
    }

    @Test
    void eachRunIsABeat() {
        try (SmHolders.Hold hold = hold(2)) {
            gpu.history.clear();
            plug.insert().pull();
            StreamPlug.Inserted second = plug.insert();
            second.pull();
            assertThat(second.held()).isTrue();
            assertThat(gpu.history).containsExactly("beat", "spin", "open", "beat", "spin", "open");
            hold.confirm();
        }
        gpu.history.clear();
        plug.insert();
        assertThat(gpu.history).as("nobody is held any more").containsExactly("spin");
    }

    @Test
    void holdersThatGaveUpAreFoundBeforeTheNextRunAndAtTheEnd() {
        SmHolders.Hold hold = hold(2);
        gpu.holders().giveUp();
        assertThatThrownBy(plug::insert)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("2 of 2 holders of SMs gave up after 10 s without a beat");
        assertThatThrownBy(hold::confirm).hasMessageContaining("waited for an SM they hold");
        hold.close();
        try (SmHolders.Hold next = hold(2)) {
            next.confirm();
        }
    }

    @Test
    void twoHoldersOnOneSmAreRefused() {
        gpu.holders().sm = holder -> holder / 2;
        assertThatThrownBy(() -> hold(3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("3 holders must hold 3 different SMs, but they are on [0, 0, 1]");
        assertThat(gpu.holders().count()).as("none is left").isZero();
    }

    @Test
    void aGpuWithoutRoomIsRefused() {
        gpu.holders().room = 2;
        assertThatThrownBy(() -> hold(3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("only 2 of 3 holders found an SM within 2 s: is the GPU in use by others?");
        assertThat(gpu.holders().count()).isZero();
        assertThat(now.get()).as("waited, but not for ever").isBetween(2_000_000_000L, 3_000_000_000L);
    }

    @Test
    void holdersThatDoNotEndAreSaid() {
        gpu.holders().obedient = false;
        SmHolders.Hold hold = hold(2);
        assertThatThrownBy(hold::close).hasMessage("2 of 2 holders of SMs did not end within 2 s");
        assertThatThrownBy(() -> hold(1)).hasMessage("2 of 2 holders of SMs did not end within 2 s");
        gpu.holders().giveUp();
        try (SmHolders.Hold late = hold(1)) {
            assertThatThrownBy(() -> hold(1)).hasMessage("SMs are held already: [1]");
            late.confirm();
            gpu.holders().obedient = true;
        }
    }

    @Test
    void oneSmMustBeLeft() {
        assertThatThrownBy(() -> hold(4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("busySms must be at most 3, one SM less than the GPU has, got 4");
        assertThat(hold(3).sms()).hasSize(3);
    }
}
