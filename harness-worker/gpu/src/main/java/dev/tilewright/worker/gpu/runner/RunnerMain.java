package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.proof.EmulatorBuild;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.cuda.CudaGpu;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.cuda.NativeStdout;
import dev.tilewright.worker.gpu.cuda.Nvml;
import dev.tilewright.worker.gpu.measure.TimingPlan;
import dev.tilewright.worker.gpu.peer.Peers;
import dev.tilewright.worker.link.CborChannel;
import dev.tilewright.worker.link.process.Child;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** A child that owns one device: runs kernels from messages on standard input. */
public final class RunnerMain {

    /** The host lets a runner see one GPU. */
    private static final int ORDINAL = 0;

    /** Nothing was locked: clocks are as the factory set them. */
    private static final String CLOCK_POLICY = "factory";

    private static final int SERVED = 0;

    /** Exit code after a fault of the device, or of a runner that could not start. */
    private static final int FAULT = 3;

    private RunnerMain() {}

    public static void main(String[] arguments) {
        Child.run(arguments, device -> () -> run(DeviceSelector.parseOne(device), System.getenv()));
    }

    /**
     * Serves requests until standard input ends.
     *
     * @param device a GPU is the only one that this process sees
     * @param environment of the process
     * @return the exit code: 0 when the host closed the stream, 3 when the device cannot be used any more
     */
    private static int run(DeviceSelector.OneDevice device, Map<String, String> environment) throws IOException {
        return switch (device) {
            case DeviceSelector.Cuda _ -> onGpu(environment);
            case DeviceSelector.Simulated(String gpu) -> onModel(gpu);
            case DeviceSelector.Emulated(int sms) -> onEmulator(sms);
        };
    }

    private static int onModel(String gpu) throws IOException {
        try (CborChannel<RunnerReply, RunnerRequest> host = CborChannel.ofStandardStreams(RunnerRequest.class)) {
            ModelRequests model = new ModelRequests(gpu);
            host.send(model.ready());
            return serve(host, model);
        }
    }

    private static int onEmulator(int sms) throws IOException {
        try (CborChannel<RunnerReply, RunnerRequest> host = CborChannel.ofStandardStreams(RunnerRequest.class)) {
            ProofRequests emulator = new ProofRequests(GemmFamilies.standard(), EmulatorBuild.running(), sms);
            host.send(emulator.ready());
            return serve(host, emulator);
        }
    }

    private static int onGpu(Map<String, String> environment) throws IOException {
        try (CborChannel<RunnerReply, RunnerRequest> host =
                new CborChannel<>(System.in, NativeStdout.claim(), RunnerRequest.class)) {
            CudaGpu gpu;
            Workbench bench;
            RunnerReply.Ready ready;
            try {
                gpu = CudaGpu.open(ORDINAL);
                Optional<Nvml> nvml = Nvml.load();
                Optional<GpuState> state =
                        nvml.flatMap(library -> library.device(gpu.info().uuid()));
                bench = Workbench.open(
                        gpu, state.orElse(GpuState.UNKNOWN), TimingPlan.STANDARD, Peers.installed(gpu, environment));
                ready = ready(gpu, nvml.flatMap(Nvml::driverVersion));
            } catch (CudaException | IllegalStateException unusable) {
                host.send(new RunnerReply.Unusable(String.valueOf(unusable.getMessage())));
                return FAULT;
            }
            host.send(ready);
            return serve(host, new GpuRequests(bench, System::nanoTime));
        }
    }

    private static int serve(CborChannel<RunnerReply, RunnerRequest> host, RequestHandler handler) throws IOException {
        return new RequestLoop(handler, System::nanoTime).serve(host) ? SERVED : FAULT;
    }

    private static RunnerReply.Ready ready(Gpu gpu, Optional<String> driver) {
        return new RunnerReply.Ready(
                TestbedKind.CUDA,
                gpu.info().name(),
                driver.orElse("CUDA " + gpu.info().apiVersion()),
                gpu.info().smCount(),
                CLOCK_POLICY,
                new DealProbe(gpu).deals(),
                new DealProbe(gpu).resident(),
                gpu.info().target(),
                gpu.info().uuid());
    }
}
