package dev.tilewright.worker.cli;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Peers as a user names them: families, or bundles that the service has not got yet.
 *
 * @param uploads those bundles, by the names that the user gave
 */
record NamedPeers(List<String> names, Map<String, BundleUpload> uploads) {

    /** @throws CommandFailedException naming path, position and rule if a folder or a zip is no bundle */
    static NamedPeers read(List<String> names) {
        Map<String, BundleUpload> uploads = new LinkedHashMap<>();
        names.stream()
                .filter(name -> BundleName.parse(name).isEmpty() && BundleUpload.isPath(name))
                .forEach(name -> uploads.put(name, BundleUpload.read(Path.of(name))));
        return new NamedPeers(names, uploads);
    }

    /**
     * The families; bundles are sent.
     *
     * @param notices is told which version a folder or a zip is
     */
    List<String> families(Connection connection, PrintStream notices) throws ApiRefusedException, InterruptedException {
        List<String> families = new ArrayList<>();
        for (String name : names) {
            BundleUpload upload = uploads.get(name);
            families.add(upload == null ? name : upload.send(connection).family());
            if (upload != null) {
                notices.println("beside " + families.getLast());
            }
        }
        return families;
    }
}
