package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.LibraryVersion;
import dev.tilewright.worker.gpu.cuda.CapturedLaunch;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.peer.PeerAlgorithm;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.Verifier.Expected;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** An algorithm of a library that is open for the operands, which computes the problem. */
final class LoadedAlgorithm implements LoadedKernel {

    private final Arm arm;
    private final CapturedLaunch launch;
    private final String library;
    private final TestData data;
    private final TreeSet<Integer> used = new TreeSet<>();

    /** @param library with its version; it stays open as long as the algorithm is in use */
    LoadedAlgorithm(PeerAlgorithm.Taken taken, String library, TestData data) {
        this.arm = taken.arm();
        this.launch = taken.launch();
        this.library = library;
        this.data = data;
    }

    /** Parts of a launch on the first operands. */
    CapturedLaunch launch() {
        return launch;
    }

    @Override
    public String name() {
        return arm.name();
    }

    @Override
    public int sets() {
        return arm.sets();
    }

    @Override
    public void enqueue(int set) {
        arm.enqueue(set);
        used.add(set);
    }

    @Override
    public int entriesPerLaunch() {
        return arm.entriesPerLaunch();
    }

    @Override
    public void poison() {
        // It has no buffers but the operands.
    }

    @Override
    public Expected expected(TestData judgedOn, List<OperandSet> judged) {
        return Expected.ofProblem(judgedOn);
    }

    @Override
    public List<OperandSet> usedSets() {
        return used.stream().map(data.sets()::get).toList();
    }

    @Override
    public void forgetUsedSets() {
        used.clear();
    }

    @Override
    public Optional<DeviceBuffer> buffer(String buffer) {
        return Optional.empty();
    }

    @Override
    public Executed executed() {
        return launch.executed();
    }

    /** Its library, and the kernels that it launches. */
    @Override
    public List<String> remarks() {
        return List.of(LibraryVersion.line(library), "launches " + launch);
    }

    @Override
    public void close() {
        // What it needs is the library's.
    }
}
