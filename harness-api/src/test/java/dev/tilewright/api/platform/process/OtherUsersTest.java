package dev.tilewright.api.platform.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherUsersTest {

    private static final int SELF = 1001;

    @TempDir
    Path folder;

    private String names(String... accounts) throws IOException {
        Path file = Files.writeString(folder.resolve("passwd"), String.join("\n", accounts));
        return new OtherUsers(file, folder.resolve("none")).names(SELF);
    }

    @Test
    void accountsOfPeopleWithALoginShellCount() throws IOException {
        assertThat(names(
                        "root:x:0:0:root:/root:/bin/bash",
                        "postgres:x:114:120::/var/lib/postgresql:/bin/bash",
                        "me:x:1001:1001::/home/me:/bin/bash",
                        "nobody:x:65534:65534:nobody:/nonexistent:/bin/sh",
                        "backup:x:1003:1003::/backup:/usr/sbin/nologin",
                        "robot:x:1004:1004::/:/bin/false",
                        "broken:x:many"))
                .isEmpty();
        assertThat(names("bob:x:1002:1002::/home/bob:/bin/zsh", "ann:x:1000:1000::/home/ann:"))
                .isEqualTo("ann, bob");
        assertThat(names(
                        "a:x:2001:1::/:/bin/sh",
                        "b:x:2002:1::/:/bin/sh",
                        "c:x:2003:1::/:/bin/sh",
                        "d:x:2004:1::/:/bin/sh",
                        "e:x:2005:1::/:/bin/sh"))
                .isEqualTo("a, b, c and 2 more");
    }

    /** Accounts of a directory service stand in no file. */
    @Test
    void soDoOwnersOfProcesses() throws IOException {
        Path processes = Files.createDirectories(folder.resolve("proc"));
        int owner = (int) Files.getAttribute(Files.createDirectory(processes.resolve("42")), "unix:uid");
        OtherUsers users = new OtherUsers(folder.resolve("none"), processes);
        assertThat(users.names(owner)).isEmpty();
        // This test may run as a user that is no person.
        assertThat(users.names(SELF)).isEqualTo(owner < 1000 || owner == SELF ? "" : "user " + owner);
        assertThat(OtherUsers.here().names()).doesNotContain(System.getProperty("user.name"));
    }
}
