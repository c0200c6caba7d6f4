package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.family.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.device.DeviceProbe;
import dev.tilewright.worker.service.Home;
import dev.tilewright.worker.service.Launcher;
import dev.tilewright.worker.service.LocalService;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which service a verb talks to. */
final class ServiceOptions {

    @Option(
            names = "--api",
            paramLabel = "URL",
            description = "Use the service at this address instead of the one of this machine.")
    private @Nullable String api;

    @Option(
            names = "--token",
            paramLabel = "@FILE",
            description =
                    "File with the user token of the service, where it asks for one, or - for standard input (also"
                            + " TILEWRIGHT_TOKEN or TILEWRIGHT_USER_TOKEN, or either with _FILE).")
    private @Nullable String token;

    @Mixin
    private TlsOption tls = new TlsOption();

    boolean isRemote() {
        return api != null;
    }

    /**
     * Connects.
     *
     * @param device what a service that is started here is to offer
     */
    Connection connect(Map<String, String> environment, String device, PrintStream notices)
            throws InterruptedException {
        // A service that is started here inherits the environment, and asks for that token where it has one.
        String shown = new Secrets(environment).read("--token", token, "TILEWRIGHT_TOKEN", "TILEWRIGHT_USER_TOKEN");
        if (api != null) {
            return Connection.remote(Syntax.api(api), shown, tls.trust(environment));
        }
        LocalService service = new LocalService(Home.of(environment), Launcher.ofThisProcess(), device, notices);
        return Connection.local(service, shown);
    }

    /** What a service on this machine is to offer for the selector; says so when nothing but a model is there. */
    static String localDevice(DeviceSelector selector, DeviceProbe probe, PrintStream notices) {
        return switch (selector) {
            case DeviceSelector.Simulated _, DeviceSelector.Emulated _ -> selector.toString();
            case DeviceSelector.Auto auto ->
                switch (probe.probe()) {
                    case DeviceProbe.NoDriver _ -> {
                        notices.println(
                                "no NVIDIA driver on this machine: using simulated:h200, a model; its figures are"
                                        + " predictions, not measurements");
                        yield "simulated:h200";
                    }
                    case DeviceProbe.Failing failing -> throw broken(failing);
                    case DeviceProbe.Found _ -> auto.toString();
                };
            case DeviceSelector.AllCuda _, DeviceSelector.Cuda _ ->
                switch (probe.probe()) {
                    case DeviceProbe.NoDriver _ ->
                        throw new CommandFailedException(
                                ExitCode.INFRASTRUCTURE,
                                "--device " + selector + ": there is no NVIDIA driver on this machine");
                    case DeviceProbe.Failing failing -> throw broken(failing);
                    case DeviceProbe.Found found -> existing(selector, found);
                };
        };
    }

    /**
     * The family for the GPUs that the driver shows, which a service that is only being started has not heard of yet.
     * {@code null} leaves the choice to the service, which knows the models.
     */
    static @Nullable String localFamily(DeviceSelector selector, DeviceProbe probe) {
        return switch (selector) {
            case DeviceSelector.Simulated _, DeviceSelector.Emulated _ -> null;
            case DeviceSelector.Auto _, DeviceSelector.AllCuda _ -> family(probe, gpu -> true);
            case DeviceSelector.Cuda(int ordinal) -> family(probe, gpu -> gpu.ordinal() == ordinal);
        };
    }

    private static @Nullable String family(DeviceProbe probe, Predicate<DeviceProbe.Gpu> wanted) {
        return probe.probe() instanceof DeviceProbe.Found(List<DeviceProbe.Gpu> gpus)
                ? gpus.stream()
                        .filter(wanted)
                        .flatMap(gpu -> Architecture.ofDevice(gpu.name()).stream())
                        .findFirst()
                        .flatMap(Families.standard()::of)
                        .map(FamilySpace::family)
                        .orElse(null)
                : null;
    }

    private static String existing(DeviceSelector selector, DeviceProbe.Found found) {
        if (selector instanceof DeviceSelector.Cuda(int ordinal)
                && found.gpus().stream().noneMatch(gpu -> gpu.ordinal() == ordinal)) {
            throw new CommandFailedException(
                    ExitCode.USAGE,
                    "--device " + selector + ": the driver shows "
                            + found.gpus().size() + " GPU(s): " + found.gpus());
        }
        return selector.toString();
    }

    private static CommandFailedException broken(DeviceProbe.Failing failing) {
        return new CommandFailedException(
                ExitCode.INFRASTRUCTURE,
                "an NVIDIA driver is there but fails: " + failing.reason()
                        + " (--device simulated:h200 asks for the model)");
    }
}
