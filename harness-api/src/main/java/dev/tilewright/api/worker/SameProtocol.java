package dev.tilewright.api.worker;

import dev.tilewright.api.platform.Build;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.platform.http.WorkerPaths;
import dev.tilewright.model.exchange.Protocol;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** A worker that speaks another protocol is refused before its registration is read: we might misunderstand it. */
@Component
final class SameProtocol implements HandlerInterceptor, WebMvcConfigurer {

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).addPathPatterns("/api/v1/workers");
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        String spoken = request.getHeader(Protocol.HEADER);
        if (WorkerPaths.include(request.getMethod(), request.getServletPath())
                && !Integer.toString(Protocol.VERSION).equals(spoken)) {
            throw refusal(spoken);
        }
        return true;
    }

    private static ApiProblem refusal(@Nullable String spoken) {
        String detail = "the worker speaks " + (spoken == null ? "no protocol that it names" : "protocol " + spoken)
                + " and this service protocol " + Protocol.VERSION
                + ": run a worker of the build of this service, which is "
                + Build.commit();
        return new ApiProblem(ProblemType.OTHER_PROTOCOL, detail, List.of(new Fault(Protocol.HEADER, detail)));
    }
}
