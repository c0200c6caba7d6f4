package dev.tilewright.worker.agent.device;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.device.DeviceLimits;
import java.util.List;
import java.util.Map;

/** What a device for tests says of itself; a test says what becomes of trials. */
public abstract class FixedDevice implements Device {

    private final String label;
    private final Testbed testbed;

    protected FixedDevice(String label, Testbed testbed) {
        this.label = label;
        this.testbed = testbed;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public Testbed testbed() {
        return testbed;
    }

    @Override
    public DeviceLimits limits() {
        return DeviceLimits.of(testbed.smCount());
    }

    @Override
    public boolean proves() {
        return testbed.kind() == TestbedKind.EMULATED;
    }

    /** Arms are counted, not timed. */
    @Override
    public FinalResult runFinal(PreparedFinal work, Runnable raced) {
        raced.run();
        return new FinalResult(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                work.arms().size() + " arms");
    }
}
