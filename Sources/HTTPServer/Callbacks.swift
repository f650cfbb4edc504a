import CMicroHTTPD

/// What MHD calls. Everything happens on the loop's thread, inside `MHD_run` or `MHD_stop_daemon`, which only the
/// server calls: `assumeIsolated` checks it.
///
/// A client's place in the server's table, plus one, is what MHD keeps for us as its context.
enum Callbacks {
    static func start(_ descriptor: Int32, limits: WebServer.Limits, for server: WebServer) -> OpaquePointer? {
        var table = cmhd_callbacks(
            connection: connection, request_line: requestLine, access: access, completed: completed,
            context: Unmanaged.passUnretained(server).toOpaque())
        // The request's head, what MHD makes of it, and the answer's head share this memory.
        let memory = 2 * limits.headerBytes + limits.targetBytes + (8 << 10)
        return cmhd_start(descriptor, UInt32(limits.connections), memory, &table)
    }

    /// An answer whose bytes are asked for one buffer at a time.
    static func streamedResponse(_ place: Int, of server: WebServer) -> OpaquePointer? {
        MHD_create_response_from_callback(
            UInt64.max /* MHD_SIZE_UNKNOWN */, 1024, reader,
            Unmanaged.passRetained(Reading(server: server, place: place)).toOpaque(),
            { if let raw = $0 { Unmanaged<Reading>.fromOpaque(raw).release() } })
    }

    static func headers(of connection: OpaquePointer) -> HTTPHeaders {
        var headers = HTTPHeaders()
        withUnsafeMutablePointer(to: &headers) { headers in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    guard let headers = context?.assumingMemoryBound(to: HTTPHeaders.self), let name else { return .NO }
                    headers.pointee.append(
                        lowercased: lowercased(UnsafeRawBufferPointer(start: name, count: nameSize)),
                        trimmed(UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)))
                    return .YES
                }, headers)
        }
        return headers
    }

    private static let connection: MHD_NotifyConnectionCallback = { context, connection, place, change in
        guard let server = server(context), let connection, let place else { return }
        nonisolated(unsafe) let (mhd, slot) = (connection, place)
        server.assumeIsolated { server in
            if change == .CONNECTION_NOTIFY_STARTED {
                slot.pointee = UnsafeMutableRawPointer(bitPattern: server.opened(mhd) + 1)
            } else if let raw = slot.pointee {
                server.closed(Int(bitPattern: raw) - 1)
                slot.pointee = nil
            }
        }
    }

    private static let requestLine:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
            context, target, connection in
            guard let server = server(context), let connection, let raw = cmhd_socket_context(connection) else {
                return nil
            }
            let place = Int(bitPattern: raw) - 1
            let text = target.map { String(cString: $0) } ?? ""
            server.assumeIsolated { $0.began(place, target: text) }
            return UnsafeMutableRawPointer(bitPattern: place + 1)
        }

    private static let access: MHD_AccessHandlerCallback = { context, _, _, method, version, data, size, state in
        guard let server = server(context), let raw = state?.pointee, let size, let method, let version else {
            return .NO
        }
        let place = Int(bitPattern: raw) - 1
        nonisolated(unsafe) let head = (method: method, version: version)
        nonisolated(unsafe) let part = UnsafeRawBufferPointer(start: data, count: size.pointee)
        size.pointee = 0  // all taken
        return server.assumeIsolated { $0.proceed(place, head.method, head.version, part) }
    }

    private static let completed: MHD_RequestCompletedCallback = { context, _, state, _ in
        guard let server = server(context), let raw = state?.pointee else { return }
        let place = Int(bitPattern: raw) - 1
        server.assumeIsolated { $0.completed(place) }
    }

    private static let reader: MHD_ContentReaderCallback = { context, _, buffer, count in
        guard let context else { return Int(bitPattern: UInt.max) }
        let reading = Unmanaged<Reading>.fromOpaque(context).takeUnretainedValue()
        nonisolated(unsafe) let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: count)
        return reading.server.assumeIsolated { $0.read(reading.place, into: buffer) }
    }

    private static func server(_ context: UnsafeMutableRawPointer?) -> WebServer? {
        context.map { Unmanaged<WebServer>.fromOpaque($0).takeUnretainedValue() }
    }
}

private final class Reading: Sendable {
    let server: WebServer
    let place: Int
    init(server: WebServer, place: Int) { (self.server, self.place) = (server, place) }
}

private func lowercased(_ name: UnsafeRawBufferPointer) -> String {
    String(unsafeUninitializedCapacity: name.count) { buffer in
        for (index, byte) in name.enumerated() {
            buffer[index] = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
        }
        return name.count
    }
}

/// MHD takes blanks off the front of a value only.
private func trimmed(_ value: UnsafeRawBufferPointer) -> String {
    let end = value.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return String(decoding: value[..<(end.map { $0 + 1 } ?? 0)], as: UTF8.self)
}
