package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.probe.LocalDevice;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bundle push}: gives a bundle to a service, whose users tune it as a family from then on. */
@Command(
        name = "push",
        description = "Give a bundle to the service; tune --family bundle:NAME then takes its newest version.")
public final class BundlePushCommand extends ServiceVerb {

    @Parameters(paramLabel = "DIR|ZIP", description = "Folder or zip with kernel.yaml.")
    private Path path = Path.of(".");

    private final DeviceProbe probe;

    /** @param out what is kept */
    public BundlePushCommand(Map<String, String> environment, DeviceProbe probe, PrintStream out, PrintStream err) {
        super(environment, out, err);
        this.probe = probe;
    }

    @Override
    public Integer call() throws ApiRefusedException, InterruptedException {
        BundleUpload upload = BundleUpload.read(path);
        String offered = service.isRemote() ? "auto" : LocalDevice.offered(DeviceSelector.parse("auto"), probe, err);
        try (Connection connection = connect(offered)) {
            BundleUpload.Kept kept = upload.send(connection);
            out.println(kept.family() + ": " + kept.bytes() + " bytes, sha256 " + kept.hash());
            return ExitCode.OK.code();
        }
    }
}
