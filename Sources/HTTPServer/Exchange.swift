import CMicroHTTPD

/// One connection of a client. Confined to the server's actor; C refers to it by its place in a table, so that no
/// pointer can dangle.
final class Client {
    let place: Int
    let connection: OpaquePointer
    let descriptor: Int32
    let peer: Peer
    /// MHD has been told to leave the connection alone. Resuming twice, or one that is not suspended, is undefined.
    var isSuspended = false
    /// When the connection is cut unless something happens first, on the loop's clock. Nil while it is our turn.
    var deadline: Duration?
    /// The request that is being read or answered; nil while the connection rests.
    var exchange: Exchange?

    init(at place: Int, _ connection: OpaquePointer, _ descriptor: Int32, _ peer: Peer) {
        self.place = place
        (self.connection, self.descriptor, self.peer) = (connection, descriptor, peer)
    }
}

/// One request and its answer. Confined to the server's actor.
final class Exchange {
    enum Stage {
        /// The request line is there.
        case began(target: String)
        /// The head is there and in order, the body is on its way.
        case receiving(HTTPRequest)
        /// The body is wrong; what is left of it is thrown away, for MHD takes no answer meanwhile.
        case refused(HTTPResponse)
        /// The handler runs.
        case handling
        /// The handler has answered, and MHD is about to ask for it.
        case answered(HTTPResponse)
        /// MHD has it all.
        case sending
        /// MHD asks for the answer piece by piece.
        case streaming(Flow)
        /// The client has everything, or has gone.
        case over
    }

    /// How far a streamed answer is.
    enum Flow {
        /// MHD has not asked for anything yet (and never will if this is a HEAD).
        case unopened(any AsyncSequence<[UInt8], Never> & Sendable)
        /// The next element is awaited; the connection is suspended.
        case dry
        /// An element is here, and MHD has taken its first `taken` bytes.
        case full([UInt8], taken: Int, puller: CheckedContinuation<Void, Never>)
        /// MHD has taken all of the element, and is writing it.
        case handedOver(puller: CheckedContinuation<Void, Never>)
        case ended
    }

    let client: Client  // which lets go of the exchange when it is over
    var stage: Stage
    var isHead = false
    /// Bytes of the body so far.
    var received = 0
    /// The handler, or the task that pulls the stream.
    var work: Task<Void, Never>?

    init(_ client: Client, target: String) {
        self.client = client
        stage = .began(target: target)
    }
}
