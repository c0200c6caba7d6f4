package dev.tilewright.api.platform.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {

    @ParameterizedTest
    @CsvSource({
        "postgres://u:p@db:6543/tw, jdbc:postgresql://db:6543/tw, u, p",
        "postgresql://u:p@db/tw, jdbc:postgresql://db:5432/tw, u, p",
        "jdbc:postgresql://u@db/tw, jdbc:postgresql://db:5432/tw, u,",
        "postgres://u%40x:p%3A%2F+1@db/tw?sslmode=require, jdbc:postgresql://db:5432/tw?sslmode=require, u@x, p:/+1"
    })
    void addressesAreRead(String text, String jdbc, String user, String password) {
        DatabaseUrl url = DatabaseUrl.parse(text);
        assertThat(url.jdbcUrl()).isEqualTo(jdbc);
        assertThat(url.user()).isEqualTo(user);
        assertThat(url.password()).isEqualTo(password);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://u:s3cret@db/tw",
                "postgres://u:s3cret@db",
                "postgres://u:s3cret@ db/tw",
                "s3cret",
                "postgres:///tw"
            })
    void whatIsNoAddressIsRefusedWithoutThePassword(String text) {
        assertThatThrownBy(() -> DatabaseUrl.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("DATABASE_URL ")
                .message()
                .doesNotContain("s3cret");
    }

    @Test
    void aPasswordIsNeverShown() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        DatabaseUrl url = DatabaseUrl.parse("postgres://u:s3cret@127.0.0.1:" + port + "/tw");
        assertThat(url.toString()).isEqualTo("127.0.0.1:" + port + "/tw");
        assertThat(DatabaseCheck.failure(url).orElseThrow())
                .startsWith("cannot reach the database at 127.0.0.1:" + port + "/tw: ")
                .doesNotContain("s3cret")
                .hasLineCount(1);
    }
}
