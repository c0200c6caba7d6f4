package dev.tilewright.worker.cli.gate;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.launch.bundle.BundleKernel;
import dev.tilewright.model.exchange.ConfigRequest;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.cli.BundleUpload;
import dev.tilewright.worker.cli.gate.file.KernelEntry;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The kernels of one checkout, each built and given to the service once. */
final class KernelShelf {

    private static final Pattern KEPT = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}@[0-9a-f]{16}");

    private final GateStore store;
    private final Path folder;
    private final PrintStream notices;
    private final Map<String, Ready> ready = new HashMap<>();

    /**
     * A kernel that the service can be asked for.
     *
     * @param problem types and layouts of its bundle; empty if it has none that is known here
     * @param text file of its PTX, from the folder of {@code tilewright.yaml}; empty if that is none of the checkout's
     */
    record Ready(GateKernel kernel, Optional<Problem> problem, Optional<String> text) {}

    /** @param folder in which {@code tilewright.yaml} lies */
    KernelShelf(GateStore store, Path folder, PrintStream notices) {
        this.store = store;
        this.folder = folder;
        this.notices = notices;
    }

    /** Builds and uploads what has to be. */
    Ready ready(KernelEntry entry) throws ApiRefusedException, InterruptedException {
        Ready known = ready.get(entry.name());
        if (known == null) {
            known = made(entry);
            ready.put(entry.name(), known);
        }
        return known;
    }

    /** A kernel that another commit made under this name: nothing of it has to be made. */
    static GateKernel plainly(KernelEntry entry) {
        boolean best = entry.origin() instanceof KernelEntry.Best;
        return new GateKernel(
                entry.family().orElse(null), best ? null : entry.config(), null, null, null, best ? true : null);
    }

    /** Whether it is of a bundle that the service keeps, so that no checkout has to have it. */
    static boolean isKept(KernelEntry entry) {
        return entry.origin() instanceof KernelEntry.OfBundle(String reference)
                && KEPT.matcher(reference).matches();
    }

    /** The kernel of a bundle that is {@linkplain #isKept kept}. */
    static GateKernel kept(KernelEntry entry) {
        String reference = ((KernelEntry.OfBundle) entry.origin()).reference();
        return ofBundle(BundleName.parse("bundle:" + reference).orElseThrow().toString(), entry.config());
    }

    private Ready made(KernelEntry entry) throws ApiRefusedException, InterruptedException {
        return switch (entry.origin()) {
            case KernelEntry.OfFamily _, KernelEntry.Best _ -> plain(plainly(entry));
            case KernelEntry.OfPeer(String peer, Optional<String> algorithm) ->
                plain(new GateKernel(null, null, null, peer, algorithm.orElse(null), null));
            case KernelEntry.OfBundle(String path) -> isKept(entry) ? plain(kept(entry)) : uploaded(entry, path, true);
            case KernelEntry.Built built -> {
                notices.println("building kernel '" + entry.name() + "' in " + folder);
                new BundleBuild(entry.name(), built, folder).run();
                yield uploaded(entry, built.bundle(), false);
            }
        };
    }

    private static Ready plain(GateKernel kernel) {
        return new Ready(kernel, Optional.empty(), Optional.empty());
    }

    private static GateKernel ofBundle(String family, ConfigRequest config) {
        return new GateKernel(family, config, null, null, null, null);
    }

    private Ready uploaded(KernelEntry entry, String path, boolean ofCheckout)
            throws ApiRefusedException, InterruptedException {
        BundleUpload upload;
        String family;
        try {
            upload = BundleUpload.read(folder.resolve(path));
            family = store.keep(upload);
        } catch (CommandFailedException refused) {
            throw new CommandFailedException(
                    refused.exit(),
                    "kernel '" + entry.name() + "': " + refused.getMessage(),
                    refused.details(),
                    refused);
        }
        notices.println("kernel '" + entry.name() + "' is " + family);
        Optional<String> text = ofCheckout && !path.endsWith(".zip")
                ? Optional.of(
                        path + "/" + file(upload, Config.parse(entry.config().words())))
                : Optional.empty();
        return new Ready(ofBundle(family, entry.config()), Optional.of(upload.problem()), text);
    }

    /** The text of a config, in which the lines of a finding are those of the user's file. */
    private static String file(BundleUpload upload, Config config) {
        try {
            return switch (upload.bundle().kernel(config)) {
                case BundleKernel.Text text -> text.file();
                case BundleKernel.Binary _ -> BundleFiles.DESCRIPTION;
            };
        } catch (BundleException otherConfig) {
            return BundleFiles.DESCRIPTION;
        }
    }

    /** Whether a kernel names a bundle that this checkout does not have. */
    boolean lacks(KernelEntry entry) {
        return entry.origin() instanceof KernelEntry.OfBundle(String path)
                && !isKept(entry)
                && !Files.exists(folder.resolve(path));
    }
}
