package dev.tilewright.worker.cli;

import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Suggestion;
import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A bundle on its way to the service.
 *
 * @param path folder or zip that it was read from
 * @param zip of its files, as the service keeps them
 */
public record BundleUpload(Path path, Bundle bundle, byte[] zip) {

    /** A stored bundle, as the service reports it. */
    public record Kept(String name, String family, String hash, int bytes) {}

    /** Whether a text names a folder or a zip, and no family. */
    static boolean isPath(String text) {
        return text.contains("/") || text.endsWith(".zip") || (!text.isEmpty() && Files.exists(Path.of(text)));
    }

    /**
     * Reads a folder or a zip.
     *
     * @throws CommandFailedException naming path, position and rule if it is no bundle
     */
    public static BundleUpload read(Path path) {
        if (!Files.exists(path)) {
            throw CommandFailedException.usage(path + ": there is no such folder or zip");
        }
        try {
            Bundle bundle = Bundle.read(BundleFiles.read(path));
            BundleSpace.of(bundle);
            ByteArrayOutputStream zip = new ByteArrayOutputStream();
            bundle.files().zip(zip);
            if (zip.size() > BundleSpace.MOST_ZIP_BYTES) {
                throw CommandFailedException.usage(path + ": its zip must have at most " + BundleSpace.MOST_ZIP_BYTES
                        + " bytes, got " + zip.size());
            }
            return new BundleUpload(path, bundle, zip.toByteArray());
        } catch (BundleException wrong) {
            throw CommandFailedException.usage(path + ": " + Suggestion.to(String.valueOf(wrong.getMessage())), wrong);
        } catch (IOException unreadable) {
            throw CommandFailedException.usage(path + ": cannot be read: " + FileFault.reason(unreadable), unreadable);
        }
    }

    /** A problem of the types and layouts that it takes. */
    public Problem problem() {
        return bundle.problem().of(new ProblemShape(1, 1, 1), 1);
    }

    /**
     * Sends it; sent twice, it is kept once.
     *
     * @throws CommandFailedException naming the path if the service refuses the bundle
     */
    public Kept send(Connection connection) throws ApiRefusedException, InterruptedException {
        try {
            return connection.send(api -> api.upload("/api/v1/bundles", "application/zip", zip, Kept.class));
        } catch (ApiRefusedException refused) {
            if (refused.isUnauthorized()) {
                throw refused;
            }
            List<String> lines = refused.lines();
            throw new CommandFailedException(
                    ExitCode.USAGE, path + ": " + lines.getFirst(), lines.subList(1, lines.size()), refused);
        }
    }
}
