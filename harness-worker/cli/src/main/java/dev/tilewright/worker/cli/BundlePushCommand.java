package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.probe.LocalDevice;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bundle push}: gives a bundle to a service, whose users tune it as a family from then on. */
@Command(
        name = "push",
        description = "Give a bundle to the service; tune --family bundle:NAME then takes its newest version.")
public final class BundlePushCommand implements Callable<Integer> {

    @Parameters(paramLabel = "DIR|ZIP", description = "Folder or zip with kernel.yaml.")
    private Path path = Path.of(".");

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    private final Map<String, String> environment;
    private final DeviceProbe probe;
    private final PrintStream out;
    private final PrintStream err;

    /** @param out what is kept */
    public BundlePushCommand(Map<String, String> environment, DeviceProbe probe, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.probe = probe;
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        BundleUpload upload = BundleUpload.read(path);
        String offered = service.isRemote() ? "auto" : LocalDevice.offered(DeviceSelector.parse("auto"), probe, err);
        try (Connection connection = service.connect(environment, offered, err)) {
            BundleUpload.Kept kept = upload.send(connection);
            out.println(kept.family() + ": " + kept.bytes() + " bytes, sha256 " + kept.hash());
            return ExitCode.OK.code();
        } catch (ApiRefusedException refused) {
            throw Faults.asSaid(refused);
        }
    }
}
