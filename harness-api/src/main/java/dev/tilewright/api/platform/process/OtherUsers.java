package dev.tilewright.api.platform.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * People other than the owner of this process who may use this machine: accounts with a login shell, and owners of
 * processes. Both count from user id 1000 on, below which Linux has its services. Root and {@code nobody} do not count.
 *
 * @param accounts such as {@code /etc/passwd}
 * @param processes such as {@code /proc}
 */
record OtherUsers(Path accounts, Path processes) {

    private static final int FIRST_PERSON = 1000;
    private static final int NOBODY = 65534;
    private static final int SHOWN = 3;
    private static final Pattern NO_LOGIN = Pattern.compile(".*/(nologin|false|sync)");

    /** Of this machine, or of the container in which this process runs. */
    static OtherUsers here() {
        return new OtherUsers(Path.of("/etc/passwd"), Path.of("/proc"));
    }

    /**
     * Their names, such as {@code ann, bob, eve and 4 more}; empty if there are none.
     *
     * @param self user id of the owner of this process
     */
    String names(int self) {
        SortedSet<String> names = new TreeSet<>();
        Map<Integer, String> known = new HashMap<>();
        for (String line : accountLines()) {
            String[] fields = line.split(":", -1);
            if (fields.length == 7 && fields[2].matches("\\d{1,9}")) {
                int id = Integer.parseInt(fields[2]);
                known.put(id, fields[0]);
                if (isOther(id, self) && !NO_LOGIN.matcher(fields[6]).matches()) {
                    names.add(fields[0]);
                }
            }
        }
        owners().stream()
                .filter(id -> isOther(id, self))
                .forEach(id -> names.add(known.getOrDefault(id, "user " + id)));
        List<String> shown = names.stream().limit(SHOWN).toList();
        return String.join(", ", shown) + (names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more" : "");
    }

    /** Likewise, for the owner of this process. */
    String names() {
        return names(owner(processes.resolve("self")));
    }

    private static boolean isOther(int id, int self) {
        return id >= FIRST_PERSON && id != NOBODY && id != self;
    }

    private List<String> accountLines() {
        try {
            return Files.readAllLines(accounts);
        } catch (IOException none) {
            return List.of();
        }
    }

    private List<Integer> owners() {
        List<Integer> owners = new ArrayList<>();
        try (Stream<Path> all = Files.list(processes)) {
            all.filter(process -> process.getFileName().toString().matches("\\d+"))
                    .forEach(process -> owners.add(owner(process)));
        } catch (IOException none) {
            // Not of Linux, or not for us to see: accounts alone tell.
        }
        return owners;
    }

    /** -1 for a process that has just ended. */
    private static int owner(Path process) {
        try {
            return Files.getAttribute(process, "unix:uid") instanceof Integer id ? id : -1;
        } catch (IOException gone) {
            return -1;
        }
    }
}
