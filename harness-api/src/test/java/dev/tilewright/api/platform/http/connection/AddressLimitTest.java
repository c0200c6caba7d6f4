package dev.tilewright.api.platform.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.Channel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddressLimitTest {

    private static final InetAddress STRANGER = InetAddress.ofLiteral("10.0.0.1");
    private static final InetAddress FRIEND = InetAddress.ofLiteral("10.0.0.2");

    /** A connection that knows whether it is open. */
    private static final class Connection implements Channel {
        private boolean open = true;

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }
    }

    @Test
    void eachAddressHasRoomOfItsOwnThatComesBack() throws IOException {
        AddressLimit limit = new AddressLimit(3);
        List<Channel> held = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Channel connection = new Connection();
            held.add(connection);
            assertThat(limit.take(STRANGER, connection)).isTrue();
        }
        assertThat(limit.take(STRANGER, new Connection())).isFalse();
        assertThat(limit.take(FRIEND, new Connection())).isTrue();
        held.get(1).close();
        assertThat(limit.take(STRANGER, new Connection())).isTrue();
        assertThat(limit.take(STRANGER, new Connection())).isFalse();
    }

    @Test
    void aNetworkOf64BitsIsOneHolder() {
        AddressLimit limit = new AddressLimit(1);
        assertThat(limit.take(InetAddress.ofLiteral("2001:db8:0:1::1"), new Connection()))
                .isTrue();
        assertThat(limit.take(InetAddress.ofLiteral("2001:db8:0:1:9::2"), new Connection()))
                .isFalse();
        assertThat(limit.take(InetAddress.ofLiteral("2001:db8:0:2::1"), new Connection()))
                .isTrue();
    }

    /** A flood of connections that come and go fills nothing. */
    @Test
    void addressesThatLeftAreForgotten() {
        AddressLimit limit = new AddressLimit(1);
        for (int i = 0; i < 5_000; i++) {
            Connection brief = new Connection();
            assertThat(limit.take(InetAddress.ofLiteral("10.1." + i / 250 + "." + i % 250), brief))
                    .isTrue();
            brief.close();
        }
        assertThat(limit.addresses()).isLessThanOrEqualTo(1_024);
    }
}
