package dev.tilewright.worker.gpu.measure;

import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.LaunchGrid;
import dev.tilewright.worker.gpu.cuda.PreparedLaunch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A kernel of the fake GPU that takes a fixed time. */
final class FakeArm implements Arm {

    final List<Integer> launchedOn = new ArrayList<>();

    private final String name;
    private final int sets;
    private final int entries;
    private final PreparedLaunch launch;

    FakeArm(FakeGpu gpu, String name, double nanos, int sets, int entries) {
        this.name = name;
        this.sets = sets;
        this.entries = entries;
        gpu.with(name, nanos, (any, parameters) -> {});
        this.launch = gpu.prepare(
                gpu.load(name.getBytes(StandardCharsets.US_ASCII)).function(name, 0),
                LaunchGrid.linear(1, 32, 0),
                List.of());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int sets() {
        return sets;
    }

    @Override
    public void enqueue(int set) {
        launchedOn.add(set);
        launch.enqueue();
    }

    @Override
    public int entriesPerLaunch() {
        return entries;
    }
}
